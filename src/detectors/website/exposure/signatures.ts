import type { ExposureKind } from '../../../captures/listed-paths.ts';
import { developmentFile } from './development-files.ts';
import { isHistory, isLog } from './logs-and-histories.ts';
import { secretFile } from './secret-files.ts';
import { isCopy, sourceCode } from './source-copies.ts';
import { isSqlite, versionControl } from './version-control.ts';

/** Kinds of files and endpoints that should not be public, recognized by path and format. */
export const fileKinds = [
  'version_control',
  'secrets_file',
  'backup',
  'source_copy',
  'shell_history',
  'log_file',
  'development_file',
  'actuator',
  'server_status',
  'phpinfo',
  'directory_index_file',
  'cross_domain_policy',
  'source_map',
  'graphql',
  'api_documentation',
] as const satisfies readonly ExposureKind[];
export type FileKind = (typeof fileKinds)[number];

/**
 * Recognizes a real file by its start, so that an error page with status 200 is not a finding. Returns a sentence for the finding,
 * without any value of the file; null if it does not match.
 *
 * @param body one character per byte, without a byte order mark
 * @param isHtml whether `looksLikeHtml`
 */
export type Signature = (body: string, path: string, isHtml: boolean) => string | null;

/** Other file types may start with a script, which only counts as HTML where the media type allows a page. */
export function looksLikeHtml(body: string, type: string): boolean {
  const start = body.slice(0, 300);
  const mayBePage = type === '' || type === 'text/html' || type === 'application/xhtml+xml';
  return (
    /^\s{0,200}<(?:!doctype|html|head|body|\?xml)/i.test(start) ||
    (mayBePage && /^\s{0,200}<script/i.test(start))
  );
}

/** A file without its byte order mark. UTF-16, which some tools write, becomes one character per byte. */
export function withoutMark(body: string): string {
  if (body.startsWith('\xef\xbb\xbf')) return body.slice(3);
  return /^(?:\xff\xfe|\xfe\xff)/.test(body) ? body.slice(2).replaceAll('\0', '') : body;
}

/** How archives and dumps in binary formats begin. */
const formats: readonly (readonly [start: RegExp, format: string])[] = [
  [/^PK\x03\x04/, 'a ZIP archive'],
  [/^\x1f\x8b/, 'a gzip archive'],
  [/^BZh[1-9]1AY&SY/, 'a bzip2 archive'],
  [/^\xfd7zXZ\0/, 'an XZ archive'],
  [/^\x28\xb5\x2f\xfd/, 'a Zstandard archive'],
  [/^7z\xbc\xaf\x27\x1c/, 'a 7-Zip archive'],
  [/^Rar!\x1a\x07/, 'a RAR archive'],
  [/^PGDMP/, 'a dump of a PostgreSQL database'],
  [/^REDIS\d{4}/, 'a snapshot of a Redis database'],
  [/^\x6d\xe2\x99\x81/, 'a dump of a MongoDB database'],
  [/^TAPE\0\0/, 'a backup of a SQL Server database'],
  [/^\0\x01\0\0Standard (?:ACE|Jet) DB/, 'a Microsoft Access database'],
  // The type of an ELF file, ET_CORE, in either byte order.
  [/^\x7fELF[\x01\x02]{2}\x01[\s\S]{9}(?:\x04\0|\0\x04)/, 'the memory of a program that crashed'],
];

const when = (matches: boolean, sentence: string) => (matches ? sentence : null);

export const signatures: Record<FileKind, Signature> = {
  version_control: (body, path, isHtml) => (isHtml ? null : versionControl(body, path)),
  secrets_file: (body, path, isHtml) =>
    isHtml && !/\.xml$|\/web\.config\b/i.test(path) ? null : secretFile(body, path),
  backup: (body, path, isHtml) => {
    const [, format] = formats.find(([start]) => start.test(body)) ?? [];
    if (format !== undefined) return `It is ${format}.`;
    if (body.startsWith('ustar', 257)) return 'It is a tar archive.';
    if (isSqlite(body)) return 'It is an SQLite database.';
    // Documents of MongoDB begin with their length and their identifier.
    if (/\.bson$/i.test(path) && /^[\s\S]{3}\0\x07_id\0/.test(body))
      return 'It is a dump of a MongoDB database.';
    if (isHtml) return null;
    const isDump =
      /^-- (?:MySQL dump|MariaDB dump|PostgreSQL database dump|phpMyAdmin SQL Dump|Dump of)/im.test(body);
    return when(
      isDump || /^(?:CREATE TABLE|INSERT INTO|DROP TABLE)\s/m.test(body),
      'It is a database dump in SQL.',
    );
  },
  source_copy: (body, path) => (isCopy(path) || !isHtmlPath(path) ? sourceCode(body, path) : null),
  shell_history: (body, path, isHtml) =>
    when(
      !isHtml && /history|\.lesshst$/i.test(path) && isHistory(body),
      'It is the history of a shell or database client.',
    ),
  log_file: (body, path, isHtml) =>
    when(!isHtml && isLog(body, path), 'It is a log of an application or server.'),
  development_file: (body, path, isHtml) =>
    isHtml && !/\.(?:xml|config|name|iml)$/i.test(path)
      ? null
      : (developmentFile(body, path)?.sentence ?? null),
  actuator: (body, path) => {
    if (!body.trimStart().startsWith('{')) return null;
    if (path.endsWith('/env')) {
      // Before Spring Boot 2, an object for each source.
      const isEnvironment =
        body.includes('"propertySources"') || /"systemProperties"\s{0,4}:\s{0,4}\{/.test(body);
      return when(isEnvironment, 'It lists the application’s settings and environment.');
    }
    if (!body.includes('"_links"')) return null;
    return when(
      /"(?:env|heapdump|threaddump|configprops|httptrace)"/.test(body),
      'The index lists endpoints that expose settings or memory.',
    );
  },
  server_status: body =>
    when(
      /<h1>Apache Server Status for|<title>Server Information<\/title>|<h1>Server-Status \(lighttpd/.test(
        body,
      ) ||
        /^fastcgi\.(?:active-requests|backend|requests)[\w.-]{0,80}: \d/m.test(body) ||
        /^Active connections: \d+/.test(body) ||
        // Its machine-readable form (`?auto`).
        (/^ServerVersion: Apache\b/m.test(body) && /^Scoreboard: /m.test(body)) ||
        /^pool:\s{1,20}\S{1,80}\nprocess manager:/.test(body),
      'It shows the server’s activity or configuration.',
    ),
  phpinfo: body =>
    when(
      /<title>(?:PHP \d[\w.+~-]{0,40} - )?phpinfo\(\)/i.test(body) ||
        /^phpinfo\(\)\s{1,4}PHP Version => \d/.test(body),
      'It is the output of phpinfo().',
    ),
  directory_index_file: body => when(body.startsWith('\0\0\0\x01Bud1'), 'It is a macOS folder index.'),
  cross_domain_policy: body =>
    when(
      (body.includes('<cross-domain-policy') &&
        /<allow-access-from[^>]{0,200}domain\s{0,4}=\s{0,4}["']\*["']/i.test(body)) ||
        (body.includes('<access-policy') && /<domain\s{1,4}uri\s{0,4}=\s{0,4}["']\*["']/i.test(body)),
      'It allows access from every domain.',
    ),
  source_map: body =>
    when(
      /^\s{0,20}(?:\)\]\}'\s{0,4})?\{/.test(body) &&
        /"version"\s{0,4}:\s{0,4}3\b/.test(body) &&
        /"(?:sources|mappings)"/.test(body),
      'It is a source map.',
    ),
  graphql: body =>
    when(
      /"__schema"\s{0,8}:\s{0,8}\{\s{0,8}"queryType"/.test(body),
      'The endpoint answers introspection queries.',
    ),
  api_documentation: body =>
    when(
      /"(?:openapi|swagger)"\s{0,8}:\s{0,8}"[23]\./.test(body) ||
        /^(?:openapi|swagger):\s{0,4}["']?[23]\./m.test(body) ||
        /SwaggerUIBundle|<title>Swagger UI<\/title>|<redoc\s/.test(body),
      'It is an OpenAPI or Swagger description of an API.',
    ),
};

/** Pages may quote source code. */
const isHtmlPath = (path: string) => /(?:\/|\.html?|\/[^./]{1,80})$/i.test(path);
