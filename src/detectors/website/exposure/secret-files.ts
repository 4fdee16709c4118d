import { environmentFile, isCommentOnly } from './environment-file.ts';

interface SecretFile {
  /** Fits the path in lower case. */
  readonly path: RegExp;
  /** Each must fit the beginning of the file. Where there are two, the first tells the form, the second the secret. */
  readonly content: readonly RegExp[];
  readonly sentence: string;
}

const phpSettings = 'It is the source of a configuration with passwords.';

/** Files with secrets, by their usual places. None of the patterns fits a template with empty or variable values. */
const secretFiles: readonly SecretFile[] = [
  {
    path: /\.aws\/credentials$/,
    content: [/^\s{0,8}aws_(?:access_key_id|secret_access_key)\s{0,8}=\s{0,8}\S/im],
    sentence: 'It contains access keys of AWS.',
  },
  {
    path: /\.npmrc$/,
    content: [/_(?:authToken|auth|password)\s{0,8}=\s{0,8}[^\s$]/],
    sentence: 'It contains a token of a package registry.',
  },
  {
    path: /\.pypirc$/,
    content: [/^\[[\w-]{1,40}\]/m, /^\s{0,8}password\s{0,8}[=:]\s{0,8}[^\s$]/m],
    sentence: 'It contains a token of a package registry.',
  },
  {
    path: /\.htpasswd$/,
    content: [/^[\w.@-]{1,64}:(?:\$apr1\$|\$2[aby]\$|\$[56]\$|\{SHA\})/m],
    sentence: 'It contains names and password hashes.',
  },
  {
    path: /\.git-credentials$/,
    content: [/^https?:\/\//m, /^https?:\/\/[^\s:@/]{1,200}:[^\s@]{1,300}@/m],
    sentence: 'It contains passwords or tokens of Git servers.',
  },
  {
    path: /\.netrc$/,
    content: [/\bmachine\s{1,8}\S/, /\bpassword\s{1,8}\S/],
    sentence: 'It contains passwords of other servers.',
  },
  {
    path: /\.pgpass$/,
    content: [/^[^\s:]{1,253}:(?:\d{1,5}|\*):[^:\n]{1,63}:[^:\n]{1,63}:\S/m],
    sentence: 'It contains passwords of PostgreSQL servers.',
  },
  {
    path: /\.my\.cnf$/,
    content: [/^\s{0,8}\[[\w-]{1,40}\]/m, /^\s{0,8}password\s{0,8}=\s{0,8}\S/m],
    sentence: 'It contains a password of a MySQL server.',
  },
  {
    path: /\.docker\/config\.json$|\.dockercfg$/,
    content: [/"auth"\s{0,8}:\s{0,8}"[A-Za-z0-9+/=]{8}/],
    sentence: 'It contains the login of a container registry.',
  },
  {
    path: /kube\/config$|kubeconfig$/,
    content: [/^kind:\s{0,8}Config\b/m, /\b(?:client-key-data|token|password):\s{0,8}\S/],
    sentence: 'It contains credentials of a Kubernetes cluster.',
  },
  {
    path: /sftp(?:-config)?\.json$/,
    content: [/"host"\s{0,8}:/, /"password"\s{0,8}:\s{0,8}"[^"]/],
    sentence: 'It contains the login of a server.',
  },
  {
    path: /\.php\b|wp-config/,
    content: [/^\s{0,8}<\?php/, /DB_PASSWORD|AUTH_KEY|\$(?:db)?pass(?:word|wd)?\s{0,8}=/i],
    sentence: phpSettings,
  },
  {
    path: /settings\.py$/,
    content: [/^SECRET_KEY\s{0,8}=/m, /^SECRET_KEY\s{0,8}=\s{0,8}['"][^'"]/m],
    sentence: 'It is the source of a Django configuration with its secret key.',
  },
  {
    path: /database\.yml$/,
    content: [/^\s{0,8}adapter:\s{0,8}\S/m, /^\s{0,8}password:\s{0,8}[^\s<$]/m],
    sentence: 'It contains the password of a database.',
  },
  {
    path: /secrets\.yml$/,
    content: [/^\s{0,8}secret_key_base:/m, /^\s{0,8}secret_key_base:\s{0,8}[0-9a-f]{30}/m],
    sentence: 'It contains the key that signs sessions.',
  },
  {
    path: /master\.key$/,
    content: [/^[0-9a-f]{32}\s{0,4}$/],
    sentence: 'It has the form of the key that opens the credentials of a Rails application.',
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
    sentence: 'It contains the password of a database.',
  },
  {
    path: /\.tfstate$/,
    content: [/"terraform_version"\s{0,8}:/, /"resources"\s{0,8}:/],
    sentence: 'It is the state of a Terraform configuration, which holds secrets in the clear.',
  },
  {
    path: /docker-compose\.yml$/,
    content: [/^services:/m, /PASSWORD["']?\s{0,4}[:=]\s{0,4}["']?[^\s"'$]/],
    sentence: 'It contains passwords of services.',
  },
];

/**
 * What secrets a file holds, by its content; null when it does not look like the real thing.
 *
 * @param path as it was asked for
 */
export function secretFile(body: string, path: string): string | null {
  if (/-----BEGIN (?:[A-Z]{2,12} ){0,2}PRIVATE KEY-----/.test(body)) return 'It contains a private key.';
  const file = path.toLowerCase();
  if (/\/\.env[^/]{0,20}$/.test(file)) return environmentFile(body);
  const known = secretFiles.find(
    candidate => candidate.path.test(file) && candidate.content.every(pattern => pattern.test(body)),
  );
  return known?.sentence ?? null;
}

/** Whether a file has its usual form, or another one that holds no secret, so that the lack of a hit means something. */
export function holdsNoSecret(body: string, path: string): boolean {
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
