import type { Source } from '../contract/sources.ts';
import { isPrivileged } from './source-states.ts';

/** What looking again at a finding would do, or why it cannot be done. Plain text for people. */
export interface Verification {
  readonly possible: boolean;
  readonly text: string;
}

const no = (text: string): Verification => ({ possible: false, text });

/** @param privilegedConnections whether this service may connect to databases itself */
export function describeVerification(
  source: Pick<Source, 'kind' | 'host' | 'connection_mode' | 'status' | 'scan_authorized_at'>,
  privilegedConnections: boolean,
): Verification {
  if (source.status === 'disconnected') {
    return no('This source is disconnected. Connect the host again as a new source to look at it.');
  }
  if (source.scan_authorized_at === null) return no('Authorize scans of this source first.');
  if (source.connection_mode === 'probe') return no('A probe assesses this source: its next look will tell.');
  if (isPrivileged(source.kind) && !privilegedConnections) {
    return no('This service may not connect to databases. Whoever operates it can switch that on.');
  }
  const asks = source.kind === 'website' ? 'Sends a few requests to' : 'Opens one read-only session on';
  return {
    possible: true,
    text: `${asks} ${source.host} and looks at this check only. If the flaw is gone, the finding becomes resolved.`,
  };
}
