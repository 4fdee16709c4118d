import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import { auditActions } from '../../../src/contract/dashboard/audit-actions.ts';

/** `Ada Berg`, `API key CI`, `The operator`. */
export function actorText({ actor }: Pick<AuditEntry, 'actor'>): string {
  switch (actor.kind) {
    case 'person':
      return actor.name ?? `Person ${shortId(actor.id)}`;
    case 'key':
      return `API key ${actor.name ?? shortId(actor.id)}`;
    case 'operator':
      return 'The operator';
    case 'service':
      return 'The service';
  }
}

/** `accepted finding`; the action's code if this version has no text for it. */
export function actionText({ action }: Pick<AuditEntry, 'action'>): string {
  return auditActions[action] ?? action;
}

export function targetText({ object, detail }: Pick<AuditEntry, 'object' | 'detail'>): string {
  // The email address says more than the id of an invitation.
  if (object.kind === 'invitation' && typeof detail.email === 'string') return detail.email;
  return object.name ?? shortId(object.id);
}

/** The first part of a UUID. */
function shortId(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id;
}
