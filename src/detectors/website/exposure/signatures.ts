import type { ExposureKind } from '../../../evidence/exposure-paths.ts';

/** Kinds that give something away by being there. `security.txt` should be there; listings are the page's detector's. */
export type FileKind = Exclude<ExposureKind, 'security_txt' | 'directory'>;

/**
 * What the beginning of a real file looks like, so that a friendly page with status 200 is no hit. The result
 * is a sentence for the finding, without any value of the file; null when it does not match.
 *
 * @param body at most a few kilobytes, one character per byte
 */
export type Signature = (body: string, path: string) => string | null;

const looksLikeHtml = (body: string) =>
  /^\s{0,200}<(?:!doctype|html|head|body|script|\?xml)/i.test(body.slice(0, 300));

const when = (matches: boolean, sentence: string) => (matches ? sentence : null);

export const signatures: Record<FileKind, Signature> = {
  version_control: (body, path) => {
    if (path.endsWith('/config'))
      return when(/^\s{0,50}\[core\]/.test(body), 'It is the configuration of a Git repository.');
    if (path.endsWith('/HEAD')) {
      return when(
        /^(?:ref: refs\/|[0-9a-f]{40}\s{0,2}$)/.test(body),
        'It names the current branch or commit of a Git repository.',
      );
    }
    if (path.endsWith('/entries'))
      return when(/^(?:8|9|10|11|12)\n/.test(body), 'It is an index of a Subversion working copy.');
    if (path.endsWith('/wc.db'))
      return when(isSqlite(body), 'It is the database of a Subversion working copy.');
    return when(
      /^(?:revlogv1|dotencode|fncache|store|generaldelta|share-safe)\b/m.test(body) && !looksLikeHtml(body),
      'It describes a Mercurial repository.',
    );
  },
  secrets_file: (body, path) => {
    if (looksLikeHtml(body)) return null;
    if (/-----BEGIN (?:[A-Z]{2,12} ){0,2}PRIVATE KEY-----/.test(body)) return 'It contains a private key.';
    if (path.startsWith('/.env')) return environmentFile(body);
    if (path === '/.aws/credentials')
      return when(/^\s{0,8}aws_access_key_id\s{0,8}=/im.test(body), 'It contains access keys of AWS.');
    if (path === '/.npmrc')
      return when(
        /_(?:authToken|auth|password)\s{0,8}=/.test(body),
        'It contains a token of a package registry.',
      );
    if (path === '/.htpasswd') {
      return when(
        /^[\w.@-]{1,64}:(?:\$apr1\$|\$2[aby]\$|\$[56]\$|\{SHA\})/m.test(body),
        'It contains names and password hashes.',
      );
    }
    return when(
      /^\s{0,8}<\?php/.test(body) && /DB_PASSWORD|AUTH_KEY/.test(body),
      'It is the source of a configuration with passwords.',
    );
  },
  backup: body => {
    if (body.startsWith('PK\x03\x04')) return 'It is a ZIP archive.';
    if (body.startsWith('\x1f\x8b')) return 'It is a gzip archive.';
    if (isSqlite(body)) return 'It is an SQLite database.';
    if (looksLikeHtml(body)) return null;
    const isDump =
      /^-- (?:MySQL dump|MariaDB dump|PostgreSQL database dump|phpMyAdmin SQL Dump|Dump of)/im.test(body);
    return when(
      isDump || /^(?:CREATE TABLE|INSERT INTO|DROP TABLE)\s/m.test(body),
      'It is a database dump in SQL.',
    );
  },
  actuator: (body, path) => {
    if (!body.trimStart().startsWith('{')) return null;
    if (path.endsWith('/env')) {
      return when(
        body.includes('"propertySources"'),
        'It lists the settings and environment of the application.',
      );
    }
    if (!body.includes('"_links"')) return null;
    return when(
      /"(?:env|heapdump|threaddump|configprops|httptrace)"/.test(body),
      'The index offers endpoints with settings or memory.',
    );
  },
  server_status: body =>
    when(
      body.includes('Apache Server Status for') || /^Active connections: \d+/.test(body),
      'It shows the current connections of the server.',
    ),
  phpinfo: body =>
    when(/<title>(?:PHP \d[\w.+~-]{0,40} - )?phpinfo\(\)/.test(body), 'It is the output of phpinfo().'),
  directory_index_file: body => when(body.startsWith('\0\0\0\x01Bud1'), 'It is a folder index of macOS.'),
  cross_domain_policy: body =>
    when(
      body.includes('<cross-domain-policy') &&
        /<allow-access-from[^>]{0,200}domain\s{0,4}=\s{0,4}["']\*["']/i.test(body),
      'It permits access from every domain.',
    ),
  source_map: body =>
    when(
      /^\s{0,20}(?:\)\]\}'\s{0,4})?\{/.test(body) &&
        /"version"\s{0,4}:\s{0,4}3\b/.test(body) &&
        /"(?:sources|mappings)"/.test(body),
      'It is a source map of version 3.',
    ),
  graphql: body =>
    when(
      /"__schema"\s{0,8}:\s{0,8}\{\s{0,8}"queryType"/.test(body),
      'The endpoint answers questions about its schema.',
    ),
  api_documentation: body =>
    when(
      /"(?:openapi|swagger)"\s{0,8}:\s{0,8}"[23]\./.test(body) ||
        /SwaggerUIBundle|<title>Swagger UI<\/title>/.test(body),
      'It describes the API in OpenAPI or Swagger.',
    ),
};

function isSqlite(body: string): boolean {
  return body.startsWith('SQLite format 3\0');
}

/** Assignments of upper-case names; the names may be told, the values never. */
function environmentFile(body: string): string | null {
  const names = [...body.matchAll(/^(?:export )?([A-Z][A-Z0-9_]{2,60})=/gm)].map(match => match[1] ?? '');
  if (names.length === 0) return null;
  const telling = (name: string) => (/PASS|SECRET|KEY|TOKEN|CREDENTIAL|DSN|URL$/.test(name) ? 0 : 1);
  const unique = [...new Set(names)].sort((a, b) => telling(a) - telling(b));
  const shown = unique.slice(0, 5).join(', ');
  return `It sets environment variables such as ${shown}; their values are left out here.`;
}
