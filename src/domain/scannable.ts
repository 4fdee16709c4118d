import type { Source } from '../contract/sources.ts';
import { isPrivileged } from './source-states.ts';

/** Why this service does not connect to a source. */
export type NotScannable = 'assessed_by_probe' | 'privileged_connections_disabled';

/** Undefined if the service may connect to the source. */
export function whyNotScannable(
  source: Pick<Source, 'kind' | 'connection_mode'>,
  { privilegedConnections }: { readonly privilegedConnections: boolean },
): NotScannable | undefined {
  if (source.connection_mode === 'probe') return 'assessed_by_probe';
  if (isPrivileged(source.kind) && !privilegedConnections) return 'privileged_connections_disabled';
  return undefined;
}
