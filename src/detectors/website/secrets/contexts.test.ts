import { describe, expect, it } from 'vitest';
import { findSecrets } from './find-secrets.ts';
import { b62, b64, b64u, hex, jwt, pem, uuid } from './planted/random.ts';
import { planted, stripeLive } from './planted.ts';

const collectedAt = '2026-11-21T12:00:00.000Z';
const now = Date.parse(collectedAt) / 1_000;
const day = 86_400;
const found = (text: string) =>
  findSecrets(text, { collectedAt }).rules.map(
    ({ kind, severity, check }) => `${kind} ${severity ?? check.severity}`,
  );
const base64 = (text: string) => Buffer.from(text).toString('base64');
const slackHook = planted['slack-webhook']!.secret;
const password = b62('login', 14);

describe('encoded text', () => {
  const head = stripeLive.slice(0, 12);
  const tail = stripeLive.slice(12);
  it.each<[string, string, string]>([
    ['escaped characters', `x="${stripeLive.replaceAll('_', '\\x5f')}"`, 'stripe-live-key'],
    ['escaped slashes', `{u:"${slackHook.replaceAll('/', '\\u002F')}"}`, 'slack-webhook'],
    ['entities', `<a data-u="${slackHook.replaceAll('/', '&#x2F;')}">`, 'slack-webhook'],
    ['a line break before', `"a\\n${stripeLive}"`, 'stripe-live-key'],
    ['two strings', `"${head}"+"${tail}"`, 'stripe-live-key'],
    [
      'strings on several lines',
      `'${head}' +\n      '${tail.slice(0, 6)}' +\n      '${tail.slice(6)}'`,
      'stripe-live-key',
    ],
    ['a template literal', `const k = \`${stripeLive}\``, 'stripe-live-key'],
    ['atob', `const k=atob("${base64(`Bearer ${stripeLive}`)}")`, 'stripe-live-key'],
    ['a key in base64', `KEY: ${base64(pem('RSA PRIVATE KEY'))}`, 'private-key'],
    [
      'JSON in base64',
      `c="${base64(JSON.stringify({ type: 'service_account', private_key: pem('PRIVATE KEY') }))}"`,
      'private-key',
    ],
    [
      'a key in JSON within a string',
      JSON.stringify(JSON.stringify({ k: pem('EC PRIVATE KEY') })),
      'private-key',
    ],
    ['a key in one line', pem('PRIVATE KEY').replaceAll('\n', ''), 'private-key'],
  ])('%s', (_, text, kind) => {
    expect(findSecrets(text).rules.map(rule => rule.kind)).toEqual([kind]);
  });

  it('does not search what is encoded too often', () => {
    let text = stripeLive;
    for (let time = 0; time < 6; time++) text = `atob("${base64(text.padEnd(20, ' '))}")`;
    expect(found(text)).toEqual([]);
  });
});

describe('private keys', () => {
  it.each<[string, string, string[]]>([
    [
      'of OpenSSH',
      `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAA${b64('ssh', 80)}`,
      ['private-key critical'],
    ],
    [
      'of OpenSSH, encrypted',
      `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAA${b64('ssh', 80)}`,
      ['encrypted-private-key high'],
    ],
    [
      'of PuTTY, encrypted',
      planted['putty-key']!.text.replace('Encryption: none', 'Encryption: aes256-cbc'),
      ['putty-key high'],
    ],
    ['public', pem('PUBLIC KEY'), []],
    [
      'a symmetric key of RFC 7515',
      '{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}',
      [],
    ],
    ['a public key of WireGuard', `[Peer]\nPublicKey = ${b64('wireguard', 42)}I=`, []],
  ])('%s', (_, text, kinds) => expect(found(text)).toEqual(kinds));
});

describe('JSON Web Tokens', () => {
  it.each<[string, object, string[]]>([
    ['an administrator, without an end', { sub: '7', role: 'admin' }, ['privileged-jwt high']],
    [
      'an administrator, for a year',
      { sub: '7', roles: ['user', 'super_admin'], exp: now + 365 * day },
      ['privileged-jwt high'],
    ],
    [
      'Hasura',
      { 'https://hasura.io/jwt/claims': { 'x-hasura-default-role': 'admin' } },
      ['privileged-jwt high'],
    ],
    ['a flag', { sub: '7', is_admin: true }, ['privileged-jwt high']],
    ['a session of an administrator', { sub: '7', role: 'admin', iat: now, exp: now + 3_600 }, []],
    ['an expired administrator', { sub: '7', role: 'admin', exp: now - day }, []],
    ['a visitor', { sub: 'guest', role: 'anonymous' }, []],
    ['a public token without rights', { jti: uuid('a'), id: 7, iat: now }, []],
    ['an ordinary user', { sub: '7', role: 'user', name: 'Administrator of nothing' }, []],
    ['service_role, expired', { iss: 'supabase', role: 'service_role', exp: now - day }, []],
    [
      'service_role',
      { iss: 'supabase', role: 'service_role', exp: now + 3_000 * day },
      ['supabase-service-role critical'],
    ],
    ['Turso, read only', { a: 'ro', id: uuid('t') }, []],
  ])('%s', (_, claims, kinds) => expect(found(`{t:"${jwt(claims)}"}`)).toEqual(kinds));

  it('says how long a token is valid', () => {
    const name = (claims: object, at?: string) =>
      findSecrets(jwt(claims), at === undefined ? {} : { collectedAt: at }).rules[0]?.name;
    expect(name({ role: 'admin' })).toBe('a JSON Web Token with administrative rights that never expires');
    expect(name({ role: 'admin', exp: now + 100 * day }, collectedAt)).toMatch(/is valid for 100 more days$/);
    expect(name({ role: 'admin', exp: now + 3_650 * day }, collectedAt)).toMatch(/10 more years$/);
    expect(name({ role: 'admin', iat: now, exp: now + 3_600 })).toBe(undefined);
  });
});

describe('shared access signatures of Azure', () => {
  const link = (parameters: string) =>
    `"https://clinic.blob.core.windows.net/files/a.pdf?${parameters}&sig=${b62('sas', 43)}%3D"`;
  it.each<[string, string, string[]]>([
    [
      'of an account',
      'sv=2022-11-02&ss=bfqt&srt=sco&sp=rwdlacup&se=2030-01-01T00:00:00Z',
      ['azure-sas-token high'],
    ],
    ['of a container, read', 'sv=2022-11-02&sr=c&sp=rl&se=2030-01-01T00:00:00Z', ['azure-sas-token medium']],
    [
      'in a page',
      'sv=2022-11-02&amp;sr=c&amp;sp=rcwd&amp;se=2030-01-01T00%3A00%3A00Z',
      ['azure-sas-token high'],
    ],
    ['of one file, read', 'sv=2022-11-02&sr=b&sp=r&se=2030-01-01T00:00:00Z', []],
    ['expired', 'sv=2022-11-02&sr=c&sp=rwd&se=2025-01-01T00:00:00Z', []],
    ['about to expire', 'sv=2022-11-02&sr=c&sp=rwd&se=2026-11-22T00:00:00Z', []],
  ])('%s', (_, parameters, kinds) => expect(found(link(parameters))).toEqual(kinds));
});

describe('connection strings', () => {
  const host = 'db.portal-clinic.net';
  it.each<[string, string, string[]]>([
    [
      'ADO.NET',
      `Server=tcp:${host},1433;Initial Catalog=a;User ID=portal;Password=${password};Encrypt=True`,
      ['connection-string critical'],
    ],
    [
      'ODBC',
      `Driver={ODBC Driver 18};Server=${host};Uid=portal;Pwd=${password};`,
      ['connection-string critical'],
    ],
    [
      'libpq',
      `host=${host} port=5432 dbname=a user=portal password=${password}`,
      ['connection-string critical'],
    ],
    ['SQLAlchemy', `postgresql+psycopg2://portal:${password}@${host}/a`, ['database-url critical']],
    [
      'MongoDB with several hosts',
      `mongodb+srv://portal:${password}@${host},b.portal-clinic.net/a`,
      ['database-url critical'],
    ],
    ['Redis without a user', `rediss://:${password}@${host}:6380`, ['database-url critical']],
    ['Oracle', `jdbc:oracle:thin:portal/${password}@//${host}:1521/a`, ['jdbc-url critical']],
    [
      'SQL Server',
      `jdbc:sqlserver://${host}:1433;databaseName=a;user=portal;password=${password};`,
      ['jdbc-url critical'],
    ],
    ['mail', `smtps://portal:${password}@mail.portal-clinic.net:465`, ['url-password high']],
    ['a local server', `Server=localhost;User Id=sa;Password=${password}`, []],
    ['a template', `Server=${host};User Id={user};Password={password}`, []],
    ['a documented one', `Server=myServerAddress;Database=a;User Id=myUsername;Password=myPassword;`, []],
    ['JDBC without a login', `jdbc:postgresql://${host}/a`, []],
    ['a query string', `?user=a&password=${password}`, []],
  ])('%s', (_, text, kinds) => expect(found(`{value:"${text}"}`)).toEqual(kinds));
});

const secret = b64u('named value', 40);

describe('names of variables', () => {
  it.each([
    `{clientSecret:"${secret}"}`,
    `{"client_secret":"${secret}"}`,
    `const JWT_SECRET = '${secret}'`,
    `process.env.SECRET_KEY_BASE="${hex('rails', 128)}"`,
    `SECRET_KEY_BASE=${hex('rails', 128)}`,
    `{"encryptionKey":"${hex('aes', 64)}"}`,
    `<div data-c="{&quot;apiSecret&quot;:&quot;${secret}&quot;}">`,
    `define('AUTH_KEY', '${b62('salt', 64)}');`,
    `<add key="ClearTextPassword" value="aX4${'vLq2'}Tz7mR" />`,
    `dbPassword:"aX4${'vLq2'}Tz7mR"`,
  ])('finds %s', text => expect(found(text)).toHaveLength(1));

  it.each([
    '{password:"Passwort",confirmPassword:"Passwort bestätigen"}',
    '{password_hint:"Min. 8 characters, 1 digit"}',
    '{"password":"Please enter your password"}',
    'type:"password",name:"password",autocomplete:"current-password"',
    '.password-field{} .secret-santa-2024{}',
    '{secretName:"my-secret-name-for-app",secretKeyRef:"app-secret"}',
    `{publicKey:"${secret}",siteKey:"6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ"}`,
    `integrity:"sha384-${b64('sri', 64)}"`,
    `{clientSecret:"pi_3NxyzLkdIwHu7ix1_secret_${b62('pi', 24)}"}`,
    `{clientSecret:e.client_secret,secret:t.secret||""}`,
    `{"clientSecret":"${uuid('id')}"}`,
    '{clientSecret:"YOUR_CLIENT_SECRET_GOES_HERE"}',
    '{clientSecret:"{{CLIENT_SECRET}}",token:"%s"}',
    '{clientSecret:"<your client secret>"}',
    `describe("auth",()=>{const clientSecret="${secret}"`,
    `/** @example */ {clientSecret:"${secret}"}`,
    `{tokenType:"Bearer",csrfToken:"${secret}"}`,
    '{SECRET_KEY:"secretKeyOfTheApplicationConfiguration"}',
    '{password:"Rechnung2024!"}',
    `{hashedPassword:"$2b$10$${b62('bcrypt', 53)}"}`,
    `e.exports={password:"password__a8Xk2",secret:"secret__Zk39d"}`,
    `{passwordResetUrl:"https://portal.clinic.net/aX4vLq2Tz7mR"}`,
  ])('leaves %s', text => expect(found(text)).toEqual([]));
});

it('finds fixed tokens in headers, but no tokens of sessions', () => {
  const header = (token: string) => `{headers:{Authorization:"Bearer ${token}"}}`;
  expect(found(header(secret))).toEqual(['bearer-token medium']);
  expect(found(header(jwt({ sub: '7', iat: now })))).toEqual(['bearer-token medium']);
  expect(found(header(jwt({ sub: '7', exp: now + 3_600 })))).toEqual([]);
  expect(found(header(jwt({ role: 'anon', iat: now })))).toEqual([]);
  expect(found(`{headers:{Authorization:\`Bearer $\{e}\`}}`)).toEqual([]);
  expect(found('Authorization: Bearer mF_9.B5f-4.1JqM')).toEqual([]);
});

it('counts the secret of a key once, and others next to it', () => {
  const pair = planted['aws-key-pair']!.text;
  expect(found(pair)).toEqual(['aws-key-pair critical']);
  expect(
    found(`${pair}\n{k:"${planted['google-api-key']!.secret}"}${'\n'.repeat(400)}{clientSecret:"${secret}"}`),
  ).toEqual(['aws-key-pair critical', 'google-api-key info', 'named-secret medium']);
  expect(found(`{key:"${planted['google-api-key']!.secret}",clientSecret:"${secret}"}`)).toEqual([
    'google-api-key info',
    'named-secret medium',
  ]);
  // A value of a known kind is not reported by its name as well.
  expect(found(`{clientSecret:"${stripeLive}"}`)).toEqual(['stripe-live-key critical']);
});

it('finds logins in commands, but none of documentation', () => {
  expect(found('curl -X POST -u "deploy:k4Xv9Lq2Tz7m" https://api.portal-clinic.net')).toEqual([
    'curl-login medium',
  ]);
  expect(found('curl -u user:password https://api.portal-clinic.net')).toEqual([]);
  expect(found('curl -u $USER:$API_TOKEN https://api.portal-clinic.net')).toEqual([]);
  expect(found('curl -u YOUR_USER:YOUR_PASSWORD1 https://api.portal-clinic.net')).toEqual([]);
});
