/** What a path would expose if it answered. */
export type ExposureKind =
  | 'version_control'
  | 'secrets_file'
  | 'backup'
  | 'actuator'
  | 'server_status'
  | 'phpinfo'
  | 'directory_index_file'
  | 'cross_domain_policy'
  | 'graphql'
  | 'api_documentation'
  | 'security_txt'
  /** Not in the fixed list: requested next to the scripts that the page references. */
  | 'source_map'
  /** Not in the fixed list: directories from which the page loads something. */
  | 'directory';

export interface ExposurePath {
  /** Includes the query, if any. */
  readonly path: string;
  readonly kind: ExposureKind;
}

/** `{__schema{queryType{name}}}`, as a query string. */
export const graphqlQuestion = '?query=%7B__schema%7BqueryType%7Bname%7D%7D%7D';

/**
 * The fixed list of paths that the website surface requests, most important first, since a slow site may use up the
 * time. It is next to the capture because both sides need it: the surface to request the paths, the detector to
 * interpret the responses.
 *
 * No path causes work on a server: `/actuator/heapdump` would write a heap dump, so the index `/actuator` is requested
 * instead.
 */
export const exposurePaths: readonly ExposurePath[] = [
  { path: '/.env', kind: 'secrets_file' },
  { path: '/.git/config', kind: 'version_control' },
  { path: '/.git/HEAD', kind: 'version_control' },
  { path: '/.env.local', kind: 'secrets_file' },
  { path: '/.env.production', kind: 'secrets_file' },
  { path: '/.env.bak', kind: 'secrets_file' },
  { path: '/.aws/credentials', kind: 'secrets_file' },
  { path: '/.npmrc', kind: 'secrets_file' },
  { path: '/.htpasswd', kind: 'secrets_file' },
  { path: '/id_rsa', kind: 'secrets_file' },
  { path: '/server.key', kind: 'secrets_file' },
  { path: '/wp-config.php.bak', kind: 'secrets_file' },
  { path: '/.svn/entries', kind: 'version_control' },
  { path: '/.svn/wc.db', kind: 'version_control' },
  { path: '/.hg/requires', kind: 'version_control' },
  { path: '/backup.zip', kind: 'backup' },
  { path: '/backup.tar.gz', kind: 'backup' },
  { path: '/backup.sql', kind: 'backup' },
  { path: '/dump.sql', kind: 'backup' },
  { path: '/database.sql', kind: 'backup' },
  { path: '/db.sqlite3', kind: 'backup' },
  { path: '/actuator', kind: 'actuator' },
  { path: '/actuator/env', kind: 'actuator' },
  { path: '/server-status', kind: 'server_status' },
  { path: '/nginx_status', kind: 'server_status' },
  { path: '/phpinfo.php', kind: 'phpinfo' },
  { path: '/info.php', kind: 'phpinfo' },
  { path: '/.DS_Store', kind: 'directory_index_file' },
  { path: '/crossdomain.xml', kind: 'cross_domain_policy' },
  { path: '/.well-known/security.txt', kind: 'security_txt' },
  { path: '/security.txt', kind: 'security_txt' },
  { path: `/graphql${graphqlQuestion}`, kind: 'graphql' },
  { path: '/swagger-ui/index.html', kind: 'api_documentation' },
  { path: '/swagger.json', kind: 'api_documentation' },
  { path: '/openapi.json', kind: 'api_documentation' },
  { path: '/v3/api-docs', kind: 'api_documentation' },
];
