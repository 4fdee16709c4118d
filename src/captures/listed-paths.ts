import type { Technology } from './technologies.ts';

/** What a path would expose if it answered. */
export type ExposureKind =
  | 'version_control'
  | 'secrets_file'
  | 'backup'
  | 'source_copy'
  | 'log_file'
  | 'shell_history'
  | 'development_file'
  | 'actuator'
  | 'server_status'
  | 'phpinfo'
  | 'directory_index_file'
  | 'cross_domain_policy'
  | 'graphql'
  | 'api_documentation'
  | 'installer'
  | 'database_console'
  | 'admin_console'
  | 'metrics'
  | 'debugger'
  | 'default_page'
  | 'user_list'
  | 'xml_rpc'
  | 'version_file'
  | 'security_txt'
  /** Not in a list: requested next to the scripts that the page references. */
  | 'source_map'
  /** Not in a list: directories from which the page loads something. */
  | 'directory'
  /** Not in a list: named by robots.txt, or the place of an open finding. It may expose anything. */
  | 'named';

export interface ExposurePath {
  /** Includes the query, if any. */
  readonly path: string;
  readonly kind: ExposureKind;
}

/** A path with what decides whether a safe scan requests it. */
export interface ListedPath extends ExposurePath {
  /** How often it is public, and how much it exposes, from 1 to 10. */
  readonly weight: number;
  /** Sites that use one of these have it. Empty: any site. */
  readonly of: readonly Technology[];
}

/**
 * Reads a list of paths of one kind: a line has a path, its weight, and the technologies that it belongs to.
 */
export function listed(kind: ExposureKind, lines: string): ListedPath[] {
  return lines
    .trim()
    .split('\n')
    .map(line => {
      const [path, weight, ...of] = line.trim().split(/\s+/);
      return { path: path!, kind, weight: Number(weight), of: of as Technology[] };
    });
}
