import { type OwnSurface, ownSurfaceOf } from '../contract/dashboard/own-checks.ts';
import type { Source } from '../contract/sources.ts';
import { isPrivileged } from './source-states.ts';

/** What verifying a finding does, or why it is not possible. */
export interface Verification {
  readonly possible: boolean;
  readonly text: string;
  /** It is possible once the domain of the source is proven. */
  readonly needs_proof?: true;
}

/** The depth of a verification, and whether the proof of the domain, which `full` requires, is current. */
export interface VerificationDepth {
  readonly depth: 'safe' | 'full';
  readonly proven: boolean;
}

const no = (text: string): Verification => ({ possible: false, text });

/** Who decides checks that no scan does, by their surface. */
const decidedOtherwise: Readonly<Record<OwnSurface, { readonly text: string; readonly phrase: string }>> = {
  shield: {
    text: 'Shield assesses this check every 3 minutes, from what the forwarders report.',
    phrase: 'is assessed by Shield every 3 minutes while it is on, from what the forwarders report',
  },
  probe: {
    text: 'This check is about the reports of the probe. The finding is resolved when a probe reports on this source again.',
    phrase: 'is about the reports of the probe, and is resolved when one reports on the source again',
  },
};

/** Says of a finding who decides its check, if no scan does, such as "is assessed by Shield …". */
export const decidedWithoutScans = (check: string): string | undefined => notOfScans(check)?.phrase;

function notOfScans(check: string) {
  const surface = ownSurfaceOf(check);
  return surface && decidedOtherwise[surface];
}

const shieldOff = 'Not assessed since Shield was turned off. Turn on Shield to assess this check again.';

/** @param privilegedConnections whether the service may connect to databases */
export function describeVerification(
  source: Pick<Source, 'kind' | 'host' | 'connection_mode' | 'status' | 'scan_authorized_at'> & {
    readonly shield_on: boolean;
  },
  category: string,
  privilegedConnections: boolean,
  { depth, proven }: VerificationDepth,
): Verification {
  if (source.status === 'disconnected') {
    return no('This source is disconnected. Add the host as a new source to scan it again.');
  }
  const otherwise = notOfScans(category);
  if (ownSurfaceOf(category) === 'shield' && !source.shield_on) return no(shieldOff);
  if (otherwise) return no(otherwise.text);
  if (source.scan_authorized_at === null) return no('Authorize scans of this source first.');
  if (source.connection_mode === 'probe') {
    return no('A probe assesses this source. Its next report updates the finding.');
  }
  if (isPrivileged(source.kind) && !privilegedConnections) {
    return no(
      'Database connections are off. The operator can turn them on with PARAPET_PRIVILEGED_CONNECTIONS.',
    );
  }
  if (depth === 'full') {
    if (proven)
      return {
        possible: true,
        text: `Sends what a full scan sends for this check to ${source.host}, including test input. If it passes, the finding is resolved.`,
      };
    const text = 'Only full scans assess this. They require a current proof of domain.';
    return { possible: false, text, needs_proof: true };
  }
  const contact = source.kind === 'website' ? 'Sends a few requests to' : 'Opens one read-only session on';
  return {
    possible: true,
    text: `${contact} ${source.host} and runs this check only. If it passes, the finding is resolved.`,
  };
}
