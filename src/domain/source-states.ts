import type {
  ConnectionMode,
  CredentialType,
  Source,
  SourceKind,
  SourceStatus,
} from '../contract/sources.ts';
import { Refusal } from './refusal.ts';

/** What can be done with a source in some states only. It can always be listed, and disconnected unless it is already. */
export type SourceAction = 'accept_risk' | 'store_credential' | 'test' | 'authorize_scan';

/** What a person does next with a source. */
type NextAction = SourceAction | 'scan' | 'watch' | 'connect_anew';
export interface NextStep {
  readonly action: NextAction;
  readonly text: string;
}

interface SourceState {
  readonly actions: readonly SourceAction[];
  /** What the state means and allows, for people. */
  readonly allows: string;
  /** What is next, unless the source lacks something: see `nextStep`. */
  readonly next: NextStep | null;
}

const connecting = ['accept_risk', 'store_credential', 'test', 'authorize_scan'] as const;

/** One table of what each state allows and what comes next, for the API and for the dashboard. */
const states: Record<SourceStatus, SourceState> = {
  draft: {
    actions: ['accept_risk'],
    allows: 'Nothing is sent to it before somebody has read its risk statement and accepted it.',
    next: { action: 'accept_risk', text: 'Read the risk statement and accept it.' },
  },
  pending: {
    actions: connecting,
    allows: 'Its connection can be tested, and its scans authorized.',
    next: { action: 'test', text: 'Test the connection.' },
  },
  connected: {
    actions: connecting,
    allows: 'Its last connection test passed.',
    next: null,
  },
  failing: {
    actions: connecting,
    allows: 'Its last connection test failed, so scans will not see much.',
    next: { action: 'test', text: 'Mend what the test found, then test again.' },
  },
  disconnected: {
    actions: [],
    allows: 'Its credential is erased and nothing is sent to it any more. Its findings stay.',
    next: { action: 'connect_anew', text: 'Add the host as a new source to look at it again.' },
  },
};

/** Throws `source_is_draft` or `source_is_disconnected` where the state does not allow the action. */
export function assertAllowed(status: SourceStatus, action: SourceAction): void {
  if (states[status].actions.includes(action)) return;
  throw new Refusal(status === 'draft' ? 'source_is_draft' : 'source_is_disconnected');
}

/** What is known of a source beside its status. */
export interface SourceFacts {
  readonly status: SourceStatus;
  readonly kind: SourceKind;
  readonly connection_mode: ConnectionMode;
  readonly scan_authorized_at: string | null;
  readonly has_credential: boolean;
  readonly was_scanned: boolean;
  readonly is_watched: boolean;
}

/** A source's state as people see it: what it allows, and what is next; null where nothing is left to do. */
export function describeState(
  source: SourceFacts,
  service: { readonly privilegedConnections: boolean },
): {
  readonly actions: readonly SourceAction[];
  readonly allows: string;
  readonly next: NextStep | null;
} {
  const { actions, allows } = states[source.status];
  return { actions, allows, next: nextStep(source, service) };
}

function nextStep(
  source: SourceFacts,
  { privilegedConnections }: { readonly privilegedConnections: boolean },
): NextStep | null {
  const { next } = states[source.status];
  if (source.status === 'draft' || source.status === 'disconnected') return next;
  const isProbe = source.connection_mode === 'probe';
  if (isPrivileged(source.kind) && !isProbe && !privilegedConnections) {
    const text = 'This service does not connect to databases. Add the database again in probe mode.';
    return { action: 'connect_anew', text };
  }
  if (isPrivileged(source.kind) && !isProbe && !source.has_credential) {
    return { action: 'store_credential', text: 'Submit a credential that may do as little as possible.' };
  }
  // Only the probe connects to its source. What was scanned without a test needs none any more.
  const isSettled = isProbe || (source.status === 'pending' && source.was_scanned);
  if (next && !isSettled) return next;
  if (!source.scan_authorized_at) return { action: 'authorize_scan', text: 'Authorize scans of it.' };
  if (isProbe) return null;
  if (!source.was_scanned) return { action: 'scan', text: 'Start the first scan.' };
  return source.is_watched ? null : { action: 'watch', text: 'Turn Watch on, to be told what changes.' };
}

/** Kinds whose credential opens a database or acts as a service role. */
export function isPrivileged(kind: SourceKind): boolean {
  return kind !== 'website';
}

/** What allows the caller to store credentials. */
export interface CredentialPermissions {
  /** The scope `sources:privileged`, or a role that includes it. */
  readonly privilegedScope: boolean;
  /** Whether the service stores credentials of privileged kinds (`PARAPET_PRIVILEGED_CONNECTIONS`). */
  readonly privilegedConnections: boolean;
}

/**
 * Throws why the source takes no credential at all, its state first: `source_is_draft`, `source_is_disconnected`,
 * `source_is_probe_mode`, `forbidden` or `privileged_connections_disabled`.
 */
export function assertTakesCredential(
  { kind, status, connection_mode }: Pick<Source, 'kind' | 'status' | 'connection_mode'>,
  { privilegedScope, privilegedConnections }: CredentialPermissions,
): void {
  assertAllowed(status, 'store_credential');
  if (connection_mode === 'probe') throw new Refusal('source_is_probe_mode');
  if (isPrivileged(kind) && !privilegedScope) throw new Refusal('forbidden');
  if (isPrivileged(kind) && !privilegedConnections) throw new Refusal('privileged_connections_disabled');
}

const credentialTypes: Record<SourceKind, readonly CredentialType[]> = {
  website: ['basic', 'header'],
  postgres: ['dsn'],
  mysql: ['dsn'],
  supabase: ['service_role'],
};

/** Types of credentials that a source of the kind can have. */
export function credentialTypesOf(kind: SourceKind): readonly CredentialType[] {
  return credentialTypes[kind];
}

/** Throws `credential_not_applicable` where the type does not fit the kind. */
export function assertCredentialFits(kind: SourceKind, type: CredentialType): void {
  if (credentialTypes[kind].includes(type)) return;
  throw new Refusal('credential_not_applicable', {
    fields: [
      {
        path: 'credential.type',
        message: `must be ${credentialTypes[kind].join(' or ')} for a ${kind} source`,
      },
    ],
  });
}
