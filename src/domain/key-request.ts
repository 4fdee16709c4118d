import type { FieldError } from '../contract/errors.ts';
import type { DashboardScope, KeyKind } from '../contract/keys.ts';
import { expiryOf } from './mint-key.ts';

interface KeyRequest {
  readonly kind: KeyKind;
  readonly systemId: string | null;
  readonly privileged: boolean;
  readonly scopes: readonly DashboardScope[] | undefined;
  readonly expiresAt: Date | undefined;
}

/** The first rule of new keys that a request violates. */
export function problemOfKey(
  { kind, systemId, privileged, scopes, expiresAt }: KeyRequest,
  now: Date,
): FieldError | undefined {
  const problem = (path: string, message: string) => ({ path, message });
  if (kind === 'probe') {
    if (!systemId) return problem('system_id', 'is required: a probe key is bound to one system');
    if (privileged) return problem('privileged', 'is not available for probe keys, which only push events');
    if (scopes) return problem('scopes', 'is not available for probe keys, which only push events');
  } else if (systemId) {
    return problem('system_id', 'is not available for dashboard keys, which cover all systems');
  }
  if (scopes?.length === 0) return problem('scopes', 'must name at least one scope');
  if (privileged && scopes && !scopes.includes('sources:write'))
    return problem('privileged', 'requires the scope sources:write, which submits credentials');
  if (expiresAt && (expiresAt <= now || expiresAt > expiryOf(now)))
    return problem('expires_at', 'must be in the future, and at most 365 days from now');
  return undefined;
}
