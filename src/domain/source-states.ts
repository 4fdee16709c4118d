import type { SourceProbeState } from '../contract/dashboard/sources.ts';
import type { CredentialType, Source, SourceKind, SourceStatus } from '../contract/sources.ts';
import { Refusal } from './refusal.ts';

/** Actions that depend on the state of a source. Listing and disconnecting do not. */
export type SourceAction = 'accept_risk' | 'store_credential' | 'test' | 'authorize_scan';

type NextAction = SourceAction | 'run_probe' | 'scan' | 'watch' | 'connect_anew';
interface NextStep {
  readonly action: NextAction;
  readonly text: string;
}

interface SourceState {
  readonly actions: readonly SourceAction[];
  /** Description of the state. */
  readonly allows: string;
  /** Default next step; see `nextStep`. */
  readonly next: NextStep | null;
}

const connecting = ['accept_risk', 'store_credential', 'test', 'authorize_scan'] as const;

const states: Record<SourceStatus, SourceState> = {
  draft: {
    actions: ['accept_risk'],
    allows: 'Parapet does not connect until the risk statement is accepted.',
    next: { action: 'accept_risk', text: 'Review and accept the risk statement.' },
  },
  pending: {
    actions: connecting,
    allows: 'The connection has not been tested yet.',
    next: { action: 'test', text: 'Test the connection.' },
  },
  connected: {
    actions: connecting,
    allows: 'Connection OK in the last test.',
    next: null,
  },
  failing: {
    actions: connecting,
    allows: 'Connection failed. Scans will be incomplete.',
    next: { action: 'test', text: 'Fix the connection, then test again.' },
  },
  disconnected: {
    actions: [],
    allows: 'Parapet no longer connects. The credential is deleted, and findings are kept.',
    next: { action: 'connect_anew', text: 'Add the host as a new source to scan it again.' },
  },
};

/** Descriptions of states that mean something else for a source that a probe assesses. */
const probeStates: Partial<Record<SourceStatus, string>> = {
  draft: 'A probe assesses this source only after its risk statement is accepted.',
  pending: 'No probe reports on this source.',
  connected: 'The probe can assess this source.',
  failing: 'The probe cannot assess this source.',
  disconnected: 'Reports of a probe on this source are ignored. Findings are kept.',
};

/** Why the status that a probe reported is no longer known. */
const absences: Partial<Record<SourceProbeState, string>> = {
  silent: 'The probe that assesses this source is silent.',
  key_revoked: 'The key of the probe that assesses this source is revoked.',
  key_expired: 'The key of the probe that assesses this source has expired.',
  dropped: 'The probe that assessed this source no longer names it.',
};

/** Throws `source_is_draft` or `source_is_disconnected` if the state does not allow the action. */
export function assertAllowed(status: SourceStatus, action: SourceAction): void {
  if (states[status].actions.includes(action)) return;
  throw new Refusal(status === 'draft' ? 'source_is_draft' : 'source_is_disconnected');
}

export interface SourceFacts
  extends Pick<Source, 'status' | 'kind' | 'connection_mode' | 'scan_authorized_at'> {
  /** How its probe reports; null without one. */
  readonly probe_state: SourceProbeState | null;
  readonly has_credential: boolean;
  readonly was_scanned: boolean;
  readonly is_watched: boolean;
}

/** Describes the state of a source. `next` is null if setup is complete. */
export function describeState(
  source: SourceFacts,
  service: { readonly privilegedConnections: boolean },
): SourceState {
  const { actions, allows } = states[source.status];
  const ofProbe = source.connection_mode === 'probe' ? probeStates[source.status] : undefined;
  const absence = source.probe_state && absences[source.probe_state];
  return { actions, allows: absence ?? ofProbe ?? allows, next: nextStep(source, service) };
}

function nextStep(
  source: SourceFacts,
  { privilegedConnections }: { readonly privilegedConnections: boolean },
): NextStep | null {
  const { next } = states[source.status];
  if (source.status === 'draft' || source.status === 'disconnected') return next;
  const isProbe = source.connection_mode === 'probe';
  if (isPrivileged(source.kind) && !isProbe && !privilegedConnections) {
    const text = 'Database connections are off on this service. Add the database again in probe mode.';
    return { action: 'connect_anew', text };
  }
  if (isPrivileged(source.kind) && !isProbe && !source.has_credential) {
    return { action: 'store_credential', text: 'Add a credential with minimal privileges.' };
  }
  // A probe-mode source has no connection test, and a scanned source no longer needs one.
  const isSettled = isProbe || (source.status === 'pending' && source.was_scanned);
  if (next && !isSettled) return next;
  if (!source.scan_authorized_at) return { action: 'authorize_scan', text: 'Authorize scans.' };
  if (isProbe) {
    if (source.probe_state === 'dropped')
      return { action: 'run_probe', text: 'Its probe no longer names it: add it to the targets of a probe.' };
    return source.probe_state ? null : { action: 'run_probe', text: 'Add a probe that assesses it.' };
  }
  if (!source.was_scanned) return { action: 'scan', text: 'Run the first scan.' };
  return source.is_watched ? null : { action: 'watch', text: 'Turn on Watch to scan automatically.' };
}

/** Kinds whose credential gives access to a database. */
export function isPrivileged(kind: SourceKind): boolean {
  return kind !== 'website';
}

export interface CredentialPermissions {
  /** The scope `sources:privileged`, or a role that includes it. */
  readonly privilegedScope: boolean;
  /** Whether the service stores credentials of privileged kinds (`PARAPET_PRIVILEGED_CONNECTIONS`). */
  readonly privilegedConnections: boolean;
}

/**
 * Throws `source_is_draft`, `source_is_disconnected`, `source_is_probe_mode`, `forbidden` or `privileged_connections_disabled`, checked
 * in this order.
 */
export function assertTakesCredential(
  { kind, status, connection_mode }: Pick<Source, 'kind' | 'status' | 'connection_mode'>,
  { privilegedScope, privilegedConnections }: CredentialPermissions,
): void {
  assertAllowed(status, 'store_credential');
  if (connection_mode === 'probe') throw new Refusal('source_is_probe_mode');
  if (isPrivileged(kind) && !privilegedScope) {
    throw new Refusal('forbidden', {}, { because: { reason: 'scope', scope: 'sources:privileged' } });
  }
  if (isPrivileged(kind) && !privilegedConnections) throw new Refusal('privileged_connections_disabled');
}

const credentialTypes: Record<SourceKind, readonly CredentialType[]> = {
  website: ['basic', 'header'],
  postgres: ['dsn'],
  mysql: ['dsn'],
  redis: ['dsn'],
  supabase: ['service_role'],
};

export function credentialTypesOf(kind: SourceKind): readonly CredentialType[] {
  return credentialTypes[kind];
}

/** Throws `credential_not_applicable`. */
export function assertCredentialFits(kind: SourceKind, type: CredentialType): void {
  if (credentialTypes[kind].includes(type)) return;
  const message = `must be ${credentialTypes[kind].join(' or ')} for a ${kind} source`;
  throw new Refusal('credential_not_applicable', { fields: [{ path: 'credential.type', message }] });
}
