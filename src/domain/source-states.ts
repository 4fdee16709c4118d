import type { CredentialType, SourceKind, SourceStatus } from '../contract/sources.ts';
import { Refusal } from './refusal.ts';

/** What can be done with a source. Listing and disconnecting are always possible. */
export type SourceAction = 'accept_risk' | 'store_credential' | 'test' | 'authorize_scan';

/** One table of what each state allows, for the API and for the dashboard. */
const allowedActions: Record<SourceStatus, readonly SourceAction[]> = {
  draft: ['accept_risk'],
  pending: ['accept_risk', 'store_credential', 'test', 'authorize_scan'],
  connected: ['accept_risk', 'store_credential', 'test', 'authorize_scan'],
  failing: ['accept_risk', 'store_credential', 'test', 'authorize_scan'],
  disconnected: [],
};

/** Throws `source_is_draft` or `source_is_disconnected` where the state does not allow the action. */
export function assertAllowed(status: SourceStatus, action: SourceAction): void {
  if (allowedActions[status].includes(action)) return;
  throw new Refusal(status === 'draft' ? 'source_is_draft' : 'source_is_disconnected');
}

/** Kinds whose credential opens a database or acts as a service role. */
export function isPrivileged(kind: SourceKind): boolean {
  return kind !== 'website';
}

const credentialTypes: Record<SourceKind, readonly CredentialType[]> = {
  website: ['basic', 'header'],
  postgres: ['dsn'],
  mysql: ['dsn'],
  supabase: ['service_role'],
};

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
