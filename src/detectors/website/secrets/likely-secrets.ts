import { secretsChecks } from './checks.ts';
import { hasManyChanges, isGenuineLogin, looksGenuine } from './genuine.ts';
import { isLongLived } from './json-web-tokens.ts';
import { around, type SecretRule } from './rule.ts';

const check = secretsChecks.likelySecret;

/** Names that say that a value is secret, in snake case and whole. */
const secretName =
  /(?:^|_)(?:secret|secret_?key|secret_?key_?base|secret_?access_?key|secret_?token|secret_?hash|(?:client|app|api|consumer|shared|session|cookie|jwt|token|webhook|signing|auth|oauth2?|hmac|encryption|application|nextauth|refresh|bot|admin|master|service|merchant|partner)_?secret(?:_?key)?|private_?key|priv_?key|encryption_?key|encrypt_?key|decryption_?key|signing_?key|master_?key|rails_?master_?key|account_?key|admin_?(?:api_?)?key|service_?(?:role_?)?key|auth_?token|api_?secret|access_?secret|storage_?key|auth_?key|auth_?salt|logged_?in_?(?:key|salt)|secure_?auth_?(?:key|salt)|nonce_?(?:key|salt)|app_?key|deploy_?key|jwt_?key|hash_?salt|db_?pass|database_?pass)$/;
const passwordName =
  /(?:^|_)(?:(?:db|database|mysql|postgres|pg|redis|mongo(?:db)?|rabbitmq|amqp|smtp|mail|email|ftp|sftp|ssh|ldap|admin|root|master|user|api|service|account|basic_?auth|auth|http|proxy|vpn|wifi|keystore|truststore|cert|pfx|p12|default|wp|app|bot|sql|connection|server|elastic(?:search)?|jenkins|nexus|registry)_?(?:password|passwd|pass|pwd|passphrase)|password|passwd|passphrase|clear_?text_?password)$/;

/** Words in a name that make its value public, a label, or another thing than the secret itself. */
const otherName =
  /public|publishable|recaptcha|captcha|turnstile|site_?key|csrf|xsrf|label|placeholder|hint|error|message|title|field|column|input|regexp?|pattern|valid|policy|strength|forgot|reset|change|confirm|example|sample|dummy|mock|fake|test|demo|encrypted|hashed?|masked|fingerprint|algorithm|type|url|path|route|i18n|translation|client_?secret_?expires|payment_?intent|setup_?intent/;

/** Text before the name that marks documentation, tests and texts for people. */
const otherContext =
  /\b(?:example|sample|dummy|mock|fake|fixture|placeholder|translations?|i18n|locale|describe|it)\b["'(\s:=,]/i;

/** Tests and documentation around the value. */
const testContext = /EXAMPLE|example\.(?:com|org)|\bexpect\(|\bassert\w{0,12}[.(]|@param|@example/;

/** A line of a comment that documents code. */
const docComment = /(?:\n|\\n)[ \t]{0,12}\*[ \t][^\n\\]{0,100}$/;

const snakeCase = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[.\s-]+/g, '_')
    .toLowerCase();

/** Values that are published: Stripe's payments, keys of services for browsers, hashes of passwords, keys of local blockchains, and templates. */
const publicValue =
  /^(?:pi_|seti_|pk[._]|sb_publishable_|AIza|phc_|NRJS-|NRBR-|sq0idp-|FLWPUBK|glffct-|mob-|sub-c-|cs_(?:test|live)_|\$2[aby]?\$|\$argon2|\$6\$|\{|sha\d{3}-|https?:|data:|pub|0x(?:ac0974bec39a17e36ba4a6b4d238ff944|59c6995e998f97a5a0044966f0945389|4f3edf983ac636a65a842ce7c78d9aa7)|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$)|[$#]\{|\{\{|<%|%[sd(]|\.{3}|\*{3}/i;

const isHex = (value: string) =>
  /^(?:0x)?(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{48}|[\da-f]{64}|[\da-f]{128})$/i.test(value);

/** Random characters, as programs make them. */
function isRandomKey(value: string): boolean {
  if (publicValue.test(value) || !looksGenuine(value)) return false;
  if (isHex(value)) return new Set(value).size >= 10;
  if (!/^[\w+/=.~!@#$%^&*()-]{20,200}$/.test(value)) return false;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && hasManyChanges(value, 0.33);
}

/** A password as generators make them: letters of both cases, digits among them, and no word. */
function isRandomPassword(value: string): boolean {
  if (value.length > 64 || publicValue.test(value) || !looksGenuine(value)) return false;
  if (/pass|pw|kenn?wort|admin|user|welcome|qwert|letmein|secret|test|demo|[a-z]{6}/i.test(value))
    return false;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && hasManyChanges(value, 0.5);
}

/** The name that a match is the end of, with what precedes it. */
function nameOf(match: RegExpExecArray): string {
  const before = match.input.slice(Math.max(0, match.index - 40), match.index);
  return `${/[\w.-]{0,40}$/.exec(before)?.[0] ?? ''}${match.groups?.name ?? ''}`;
}

function isNamed(name: RegExp, isRandom: (value: string) => boolean) {
  return (match: RegExpExecArray): boolean => {
    const value = match.groups?.value ?? '';
    if (!isRandom(value)) return false;
    const whole = snakeCase(nameOf(match));
    if (!name.test(whole) || otherName.test(whole)) return false;
    const before = match.input.slice(Math.max(0, match.index - 120), match.index);
    return !otherContext.test(before) && !docComment.test(before) && !testContext.test(around(match, 100));
  };
}

/** A name, how it is assigned, and a string; or an environment variable without quotes. */
const assigned =
  /_?(?<name>(?:secret|passw|passphrase|pwd|pass|priv|encr|decr|sign|master|auth|token|storage|account|admin|service|nonce|logged|secure|app|deploy|jwt|hash)[\w-]{0,36})\\{0,2}["'`]?\]?(?:\s{0,4}(?::|=>?|:=|,)|\s{1,4}value=)\s{0,4}\\{0,2}["'`](?<value>[^\s"'`\\<>]{8,200})\\{0,2}["'`]/iy;
const inEnvironment = /_?(?<name>[A-Z][A-Z\d_]{2,40})=(?<value>[^\s"'`\\<>&]{8,200})(?![^\s"'`\\<>&])/y;

/** Values that are named as secrets and appear random. Silent where in doubt. */
export const likelySecrets: readonly SecretRule[] = [
  {
    kind: 'named-secret',
    name: 'a value that is named as a secret and appears random',
    check,
    anchors: [
      'secret',
      'privatekey',
      'private_key',
      'private-key',
      'privkey',
      'priv_key',
      'encryption',
      'encrypt_',
      'decryption',
      'signing',
      'masterkey',
      'master_key',
      'master-key',
      'authtoken',
      'auth_token',
      'auth-token',
      'accountkey',
      'account_key',
      'admin_key',
      'adminkey',
      'adminapikey',
      'servicekey',
      'service_key',
      'service_role',
      'servicerole',
      'auth_key',
      'auth_salt',
      'authkey',
      'nonce_',
      'logged_in_',
      'secure_auth',
      'app_key',
      'jwt_key',
      'jwtkey',
      'hash_salt',
      'deploy_key',
      'storage_key',
      'storagekey',
    ],
    anyCase: true,
    within: true,
    pattern: assigned,
    accepts: isNamed(secretName, isRandomKey),
  },
  {
    kind: 'named-secret',
    name: 'a value that is named as a secret and appears random',
    check,
    anchors: [
      'SECRET',
      'PRIVATE_KEY',
      'ENCRYPTION_KEY',
      'SIGNING_KEY',
      'MASTER_KEY',
      'AUTH_TOKEN',
      'ACCOUNT_KEY',
      'APP_KEY',
      'JWT_KEY',
    ],
    within: true,
    pattern: inEnvironment,
    accepts: isNamed(secretName, isRandomKey),
  },
  {
    kind: 'named-password',
    name: 'a value that is named as a password and appears random',
    check,
    anchors: ['password', 'passwd', 'passphrase', '_pass', 'pwd'],
    anyCase: true,
    within: true,
    pattern: assigned,
    accepts: isNamed(passwordName, isRandomPassword),
  },
  {
    kind: 'named-password',
    name: 'a value that is named as a password and appears random',
    check,
    anchors: ['PASSWORD', 'PASSWD', 'PASSPHRASE', '_PASS', '_PWD'],
    within: true,
    pattern: inEnvironment,
    accepts: isNamed(passwordName, isRandomPassword),
  },
  {
    kind: 'bearer-token',
    name: 'a fixed token in an Authorization header',
    check,
    anchors: ['Bearer ', 'bearer ', 'Token ', 'token '],
    pattern: /(?:Bearer|Token) (?<value>[\w+/=.~-]{20,2000})["'`\s\\]/iy,
    looksAround: true,
    accepts: (match, reading) => {
      const before = match.input.slice(Math.max(0, match.index - 60), match.index);
      if (!/authorization["'`\]\s:=,(\\]{1,12}$/i.test(before) || otherContext.test(before)) return false;
      const value = match.groups?.value ?? '';
      return value.startsWith('eyJ') ? isLongLived(value, reading) : isRandomKey(value);
    },
  },
  {
    kind: 'curl-login',
    name: 'a command with a username and password',
    check,
    anchors: ['curl '],
    pattern:
      /curl [^\r\n]{0,300}?(?:-u|--user)[ =]["']?(?<user>[\w.@-]{2,80}):(?<password>[^\s"'`\\<>$:]{8,120})/y,
    accepts: ({ groups }) => {
      const { user = '', password = '' } = groups ?? {};
      return isRandomPassword(password) && isGenuineLogin(user, password, 'api.clinic.net');
    },
  },
];
