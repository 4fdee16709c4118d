import { environmentFile, isCommentOnly } from './environment-file.ts';

interface SecretFile {
  /** Matches the path in lowercase. */
  readonly path: RegExp;
  /** Each must match the start of the file. Of two, the first matches the format, the second the secret. */
  readonly content: readonly RegExp[];
  readonly sentence: string;
}

const phpSettings = 'It is a PHP configuration file with passwords.';

/** Files with secrets, by their usual paths. No pattern matches a template with empty or variable values. */
const secretFiles: readonly SecretFile[] = [
  {
    path: /\.aws\/credentials$/,
    content: [/^\s{0,8}aws_(?:access_key_id|secret_access_key)\s{0,8}=\s{0,8}\S/im],
    sentence: 'It contains AWS access keys.',
  },
  {
    path: /\/(?:\.s3cfg|\.boto|rclone\.conf)$/,
    content: [/^\s{0,8}\[[\w -]{1,40}\]/m, /^\s{0,8}\w{0,20}secret(?:_access)?_key\s{0,8}=\s{0,8}\S/m],
    sentence: 'It contains keys for cloud storage.',
  },
  {
    path: /application_default_credentials\.json$/,
    content: [/"type"\s{0,4}:/, /"(?:refresh_token|client_secret)"\s{0,4}:\s{0,4}"[^"]/],
    sentence: 'It contains Google Cloud credentials of a person.',
  },
  {
    path: /\.vault-token$/,
    content: [/^(?:hv[sb]\.|s\.)[\w-]{20}/],
    sentence: 'It is a token for HashiCorp Vault.',
  },
  {
    path: /\/auth\.json$/,
    content: [
      /"(?:http-basic|bearer|(?:github|gitlab|bitbucket)-(?:oauth|token))"\s{0,4}:/,
      /"(?:password|token|[\w.-]{3,80})"\s{0,4}:\s{0,4}"[^"]{6}/,
    ],
    sentence: 'It contains credentials for Composer repositories.',
  },
  {
    path: /\/(?:filezilla|sitemanager|recentservers)\.xml$/,
    content: [/<FileZilla3\b/, /<Pass\b[^>]{0,60}>[^<]/],
    sentence: 'It contains credentials for servers, stored by FileZilla.',
  },
  {
    path: /\/parameters\.ya?ml$/,
    content: [/^parameters:/m, /^\s{1,12}[\w.]{0,60}(?:password|secret):\s{0,8}[^\s~<%]/m],
    sentence: 'It contains passwords of a Symfony application.',
  },
  {
    path: /\/local\.settings\.json$/,
    content: [/"Values"\s{0,4}:/, /\bAccountKey=[^;"\s]/],
    sentence: 'It contains keys of an Azure application.',
  },
  {
    path: /\/(?:config|settings|database|db|secrets|connection|default|production)\.json$/,
    // Texts of a page have words instead of passwords.
    content: [
      /"(?:host(?:name)?|server|database|dialect|connectionString)"\s{0,4}:\s{0,4}"/,
      /"(?:password|passwd|pwd|pass)"\s{0,4}:\s{0,4}"(?=[A-Za-z]{0,60}[^A-Za-z"\s])[^"<$%{\s]{4,200}"/,
    ],
    sentence: 'It contains a database password.',
  },
  {
    path: /\/(?:config|settings|database|db|app)\.(?:ini|cfg|conf|old|bak|ya?ml|txt)$/,
    content: [
      /^\s{0,12}(?:\[[\w -]{1,40}\]|[\w.-]{2,40}\s{0,8}[=:])/m,
      /^\s{0,12}[\w.-]{0,40}(?:password|passwd|pwd|pass)\s{0,8}[=:]\s{0,8}["']?[^\s"'<$%{*]{3}/im,
    ],
    sentence: 'It contains a password in a configuration.',
  },
  {
    path: /\.npmrc$/,
    content: [/_(?:authToken|auth|password)\s{0,8}=\s{0,8}[^\s$]/],
    sentence: 'It contains a package registry token.',
  },
  {
    path: /\.pypirc$/,
    content: [/^\[[\w-]{1,40}\]/m, /^\s{0,8}password\s{0,8}[=:]\s{0,8}[^\s$]/m],
    sentence: 'It contains a package registry token.',
  },
  {
    path: /\.htpasswd$/,
    content: [/^[\w.@-]{1,64}:(?:\$apr1\$|\$2[aby]\$|\$[56]\$|\{SHA\})/m],
    sentence: 'It contains usernames and password hashes.',
  },
  {
    path: /\.git-credentials$/,
    content: [/^https?:\/\//m, /^https?:\/\/[^\s:@/]{1,200}:[^\s@]{1,300}@/m],
    sentence: 'It contains passwords or tokens for Git servers.',
  },
  {
    path: /\.netrc$/,
    content: [/\bmachine\s{1,8}\S/, /\bpassword\s{1,8}\S/],
    sentence: 'It contains passwords for other servers.',
  },
  {
    path: /\.pgpass$/,
    content: [/^[^\s:]{1,253}:(?:\d{1,5}|\*):[^:\n]{1,63}:[^:\n]{1,63}:\S/m],
    sentence: 'It contains passwords for PostgreSQL servers.',
  },
  {
    path: /\.my\.cnf$/,
    content: [/^\s{0,8}\[[\w-]{1,40}\]/m, /^\s{0,8}password\s{0,8}=\s{0,8}\S/m],
    sentence: 'It contains a password for a MySQL server.',
  },
  {
    path: /\.docker\/config\.json$|\.dockercfg$/,
    content: [/"auth"\s{0,8}:\s{0,8}"[A-Za-z0-9+/=]{8}/],
    sentence: 'It contains credentials for a container registry.',
  },
  {
    path: /kube\/config$|kubeconfig(?:\.ya?ml)?$/,
    content: [/^kind:\s{0,8}Config\b/m, /\b(?:client-key-data|token|password):\s{0,8}\S/],
    sentence: 'It contains credentials for a Kubernetes cluster.',
  },
  {
    path: /sftp(?:-config)?\.json$|\/(?:\.ftpconfig|\.remote-sync\.json|\.ftppass)$/,
    content: [/"(?:host(?:name)?|username)"\s{0,8}:/, /"pass(?:word|phrase)?"\s{0,8}:\s{0,8}"[^"]/],
    sentence: 'It contains credentials for a server.',
  },
  {
    path: /\.php\b|wp-config/,
    content: [/^\s{0,8}<\?php/, /DB_PASSWORD|AUTH_KEY|\$(?:db)?pass(?:word|wd)?\s{0,8}=/i],
    sentence: phpSettings,
  },
  {
    path: /settings\.py$/,
    content: [/^SECRET_KEY\s{0,8}=/m, /^SECRET_KEY\s{0,8}=\s{0,8}['"][^'"]/m],
    sentence: 'It is a Django settings file with its secret key.',
  },
  {
    path: /database\.yml$/,
    content: [/^\s{0,8}adapter:\s{0,8}\S/m, /^\s{0,8}password:\s{0,8}[^\s<$]/m],
    sentence: 'It contains a database password.',
  },
  {
    path: /secrets\.yml$/,
    content: [/^\s{0,8}secret_key_base:/m, /^\s{0,8}secret_key_base:\s{0,8}[0-9a-f]{30}/m],
    sentence: 'It contains the key that signs sessions.',
  },
  {
    path: /master\.key$/,
    content: [/^[0-9a-f]{32}\s{0,4}$/],
    sentence: 'It looks like the key that decrypts a Rails application’s credentials.',
  },
  {
    path: /application\.(?:properties|yml)$/,
    content: [
      /^\s{0,12}[\w.-]{1,80}\s{0,8}[=:]/m,
      /^\s{0,12}(?:[\w.-]{1,80}\.)?password\s{0,8}[=:]\s{0,8}[^\s$]/m,
    ],
    sentence: 'It contains a password of a Java application.',
  },
  {
    path: /appsettings(?:\.\w{1,20})?\.json$/i,
    content: [/"ConnectionStrings"\s{0,8}:/i, /\b(?:password|pwd)=[^;"\s]/i],
    sentence: 'It contains a database password.',
  },
  {
    path: /\.tfstate(?:\.backup)?$/,
    content: [/"terraform_version"\s{0,8}:/, /"resources"\s{0,8}:/],
    sentence: 'It is a Terraform state file, which contains secrets in plain text.',
  },
  {
    path: /\.tfvars$/,
    content: [
      /^\s{0,8}\w{1,60}\s{0,40}=/m,
      /^\s{0,8}\w{0,60}(?:password|secret|token|private_key)\w{0,30}\s{0,40}=\s{0,8}"[^"$]/im,
    ],
    sentence: 'It contains secrets of a Terraform configuration.',
  },
  {
    path: /web\.config\b/,
    content: [/<configuration\b/, /\b(?:password|pwd)=[^;"'\s]/i],
    sentence: 'It contains a database password.',
  },
  {
    path: /\/(?:docker-)?compose(?:[.-][\w.-]{1,30})?\.ya?ml$/,
    content: [/^services:/m, /PASSWORD["']?\s{0,4}[:=]\s{0,4}["']?[^\s"'$]/],
    sentence: 'It contains service passwords.',
  },
];

/** How binary files with keys begin: JKS and JCEKS of Java, and PKCS #12 (RFC 7292, 4). One character is one byte. */
const keyStores: readonly (readonly [start: RegExp, what: string])[] = [
  [/^(?:\xfe\xed\xfe\xed|\xce\xce\xce\xce)\0\0\0[\x01\x02]/, 'a Java keystore'],
  [/^\x30\x82[\s\S]{2}\x02\x01\x03\x30[\x80\x82]/, 'a PKCS #12 file'],
];

/**
 * The secrets that a file contains, as a sentence; null if it is not a file with secrets.
 *
 * @param path as requested
 */
export function secretFile(body: string, path: string): string | null {
  if (/-----BEGIN (?:[A-Z]{2,12} ){0,2}PRIVATE KEY-----/.test(body)) return 'It contains a private key.';
  const store = keyStores.find(([start]) => start.test(body));
  if (store !== undefined) return `It is ${store[1]}, which contains private keys.`;
  const file = path.toLowerCase();
  if (/\/(?:\.env[^/]{0,20}|env\.(?:bak|old|txt))$/.test(file)) return environmentFile(body);
  const known = secretFiles.find(
    candidate => candidate.path.test(file) && candidate.content.every(pattern => pattern.test(body)),
  );
  return known?.sentence ?? null;
}

/** Whether a file has a known format without a secret, which rules a finding out. */
export function hasNoSecret(body: string, path: string): boolean {
  const file = path.toLowerCase();
  const isOfForm = secretFiles.some(
    ({ path, content: [form, secret] }) => path.test(file) && secret !== undefined && form?.test(body),
  );
  return (
    isOfForm ||
    isCommentOnly(body) ||
    (/\.(?:json|tfstate)$/.test(file) && isJson(body)) ||
    /^(?:ssh-|ecdsa-sha2-|-----BEGIN (?:PUBLIC KEY|CERTIFICATE)-)/.test(body)
  );
}

function isJson(body: string): boolean {
  try {
    return typeof JSON.parse(body) === 'object';
  } catch {
    return false;
  }
}
