import { secretsChecks as checks } from './checks.ts';
import { isGenuineLogin, looksGenuine } from './genuine.ts';
import { around, type SecretRule } from './rule.ts';

/** Presigned AWS URLs and forms contain the key's ID without its secret, which is not a leak. */
const signsRequest =
  /(?:X-Amz-Credential|Credential|AWSAccessKeyId)(?:=|%3D|["'\s:=]{1,6}(?:value=)?["'])$|X-Amz-Signature|[?&;](?:amp;)?Signature=/i;
const credentialScope = /^(?:\/|\\\/|%2F|&#x2f;)\d{8}(?:\/|\\\/|%2F|&#x2f;)/i;

function isForSigning(match: RegExpExecArray): boolean {
  const end = match.index + match[0].length;
  return (
    credentialScope.test(match.input.slice(end, end + 30)) ||
    signsRequest.test(match.input.slice(Math.max(0, match.index - 200), match.index)) ||
    /["'&;](?:x-amz-)?(?:signature|policy)["'=]/i.test(match.input.slice(end, end + 600))
  );
}

/** A secret access key: 40 characters of base64 that are neither a hexadecimal hash nor a path. */
function hasAwsSecret(match: RegExpExecArray): boolean {
  const text = around(match, 300).replaceAll('\\/', '/');
  for (const [candidate] of text.matchAll(/(?<![0-9A-Za-z/+=])[0-9A-Za-z/+]{40}(?![0-9A-Za-z/+=])/g)) {
    const isMixed = /[a-z]/.test(candidate) && /[A-Z]/.test(candidate) && /\d/.test(candidate);
    if (isMixed && new Set(candidate).size >= 20 && looksGenuine(candidate)) return true;
  }
  return false;
}

/** The claims of a JSON Web Token (RFC 7519), not verified; null if it is not a valid token. */
function claimsOf(token: string): Record<string, unknown> | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The key of every local Supabase CLI project, without the part that names its kind. */
const localKey = ['N7UND0UgjKTVK', 'Uodkm0Hg_xSvEMPvz'].join('-');

/** Text near Google keys that are meant for browsers, as in applications with Firebase, maps or videos. */
const madeForBrowsers =
  /firebase|authDomain|messagingSenderId|google[\s_.-]?maps?|maps?\.google|maps\/api|maps?_?(?:api_?)?key|places|gapi|recaptcha|youtube/i;

const databases =
  /^(?:postgres(?:ql)?|mysql2?|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb)$/;
const services = /^(?:https?|ftps?|sftp|smtps?|ssh|git|imaps?|ldaps?|mqtts?|wss?)$/;

/** The parts of a matched URL. Its scheme precedes the anchor. */
function loginOf(match: RegExpExecArray) {
  const before = match.input.slice(Math.max(0, match.index - 16), match.index);
  const scheme = /(?<![\w+.-])[a-z][a-z\d+-]{1,14}$/i.exec(before)?.[0].toLowerCase() ?? '';
  const { user = '', password = '', host = '' } = match.groups ?? {};
  return { scheme, user, password, host };
}

/** User, password and host of a URL, with plain slashes or escaped ones as in JSON. */
const login =
  /:(?:\/\/|\\\/\\\/)(?<user>[^\s"'`<>()@:/\\?#,]{0,80}):(?<password>[^\s"'`<>()@/\\?#]{4,150})@(?<host>[\w.-]{1,200}|\[[\da-f:.]{2,45}\])/y;
const schemeEnds = ['://', ':\\/\\/'];

/**
 * The text format of a key (RFC 7468) with line breaks that are plain, escaped in a string, or between
 * concatenated strings.
 */
function pem(label: string): Pick<SecretRule, 'anchors' | 'pattern' | 'within'> {
  const lineBreak = '[\\r\\n]|\\\\{1,2}[nr]';
  const between = `(?:[\\s"'+,;]|\\\\{1,2}[nr]|&#1[03];|<br ?/?>){1,40}`;
  // Fields of a key in the old format (RFC 1421) or of OpenPGP.
  const fields = `(?:[A-Za-z-]{3,20}: [^\\r\\n\\\\]{0,80}(?:${lineBreak}){1,8}){0,4}`;
  const body = '(?<body>(?:\\\\?/|[A-Za-z0-9+]){60})';
  const pattern = new RegExp(`-----BEGIN ${label}-----${between}${fields}${body}`, 'y');
  return { anchors: ['-----BEGIN '], pattern, within: true };
}

/** Part of jwt.io's example key, which tutorials and tests quote. */
const exampleKey = 'VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7';

function isKey(match: RegExpExecArray): boolean {
  const isExample = around(match, 60).replaceAll('\\/', '/').includes(exampleKey);
  return new Set(match.groups?.body).size >= 15 && !isExample;
}

export const accountSecrets: readonly SecretRule[] = [
  {
    kind: 'private-key',
    name: 'a private key',
    check: checks.privateKey,
    ...pem('(?:(?:RSA|EC|DSA|OPENSSH) )?PRIVATE KEY'),
    // In the old format, a field shows that the key is encrypted.
    accepts: match => isKey(match) && !/Proc-Type: ?4,ENCRYPTED/.test(match[0]),
  },
  {
    kind: 'encrypted-private-key',
    name: 'a private key, protected by a password that can be guessed offline',
    check: checks.privateKey,
    severity: 'high',
    ...pem('(?:(?:RSA|EC|DSA|ENCRYPTED) PRIVATE KEY|PGP PRIVATE KEY BLOCK)'),
    accepts: isKey,
  },
  {
    kind: 'aws-key-pair',
    name: 'an AWS access key with its secret',
    check: checks.cloudKey,
    severity: 'critical',
    anchors: ['AKIA', 'ASIA'],
    pattern: /A[KS]IA(?<random>[A-Z2-7]{16})(?![0-9A-Za-z])/y,
    accepts: hasAwsSecret,
    looksAround: true,
  },
  {
    kind: 'aws-key-id',
    name: 'the ID of an AWS access key',
    check: checks.cloudKey,
    anchors: ['AKIA'],
    pattern: /AKIA(?<random>[A-Z2-7]{16})(?![0-9A-Za-z])/y,
    accepts: match => !isForSigning(match),
    looksAround: true,
  },
  {
    kind: 'azure-account-key',
    name: 'the key of an Azure storage account',
    check: checks.cloudKey,
    severity: 'critical',
    anchors: ['AccountKey='],
    // The first is the storage emulator's fixed key.
    pattern: /AccountKey=(?!Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1)(?<random>[0-9A-Za-z+/\\]{86,100})==/y,
  },
  {
    kind: 'azure-access-key',
    name: 'a shared access key of an Azure service',
    check: checks.cloudKey,
    anchors: ['SharedAccessKey='],
    pattern: /SharedAccessKey=(?<random>[0-9A-Za-z+/\\]{43,50})=/y,
  },
  {
    kind: 'azure-client-secret',
    name: 'a client secret of Microsoft Entra ID',
    check: checks.cloudKey,
    anchors: ['Q~'],
    within: true,
    pattern: /(?<=(?<![\w.~-])[\w.~-]{3}\d)Q~(?<random>[\w.~-]{31,34})(?![\w.~-])/y,
  },
  {
    kind: 'google-client-secret',
    name: 'a Google OAuth client secret',
    check: checks.cloudKey,
    anchors: ['GOCSPX-'],
    pattern: /GOCSPX-(?<random>[\w-]{28})(?![\w-])/y,
  },
  {
    kind: 'google-api-key',
    name: 'a Google API key',
    check: checks.googleApiKey,
    anchors: ['AIza'],
    pattern: /AIza(?<random>[\w-]{35})(?![\w-])/y,
    // Firebase configurations and loaders of maps and sign-in contain keys that are meant for browsers.
    accepts: match => !madeForBrowsers.test(around(match, 300)),
    looksAround: true,
  },
  {
    kind: 'supabase-service-role',
    name: 'a Supabase service_role key',
    check: checks.serviceRoleKey,
    anchors: ['eyJ'],
    pattern: /eyJ[\w-]{10,500}\.eyJ[\w-]{10,2000}\.(?<random>[\w-]{20,700})/y,
    // All local Supabase CLI projects have the same keys, which its documentation quotes.
    accepts: match => {
      const claims = claimsOf(match[0]);
      return claims?.role === 'service_role' && claims.iss !== 'supabase-demo';
    },
  },
  {
    kind: 'supabase-secret-key',
    name: 'a Supabase secret key',
    check: checks.serviceRoleKey,
    anchors: ['sb_secret_'],
    pattern: /sb_secret_(?<random>[\w-]{20,60})/y,
    accepts: match => match.groups?.random !== localKey,
  },
  {
    kind: 'database-url',
    name: 'a database connection string with its password',
    check: checks.databaseUrl,
    anchors: schemeEnds,
    within: true,
    pattern: login,
    accepts: match => {
      const { scheme, user, password, host } = loginOf(match);
      return databases.test(scheme) && isGenuineLogin(user, password, host);
    },
  },
  {
    kind: 'url-password',
    name: 'a URL with a username and password',
    check: checks.urlPassword,
    anchors: schemeEnds,
    within: true,
    pattern: login,
    accepts: match => {
      const { scheme, user, password, host } = loginOf(match);
      // Sentry's former DSNs contain a second key, which only allowed reporting errors.
      const isPublic = /(?:^|\.)(?:sentry|ingest)\b/.test(host);
      const isReachable = /\.[a-z][a-z\d-]{1,62}$/i.test(host);
      return (
        services.test(scheme) &&
        user.length >= 2 &&
        password.length >= 6 &&
        isReachable &&
        !isPublic &&
        isGenuineLogin(user, password, host)
      );
    },
  },
];
