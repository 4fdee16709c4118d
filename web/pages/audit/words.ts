import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import { auditActions } from '../../../src/contract/dashboard/audit-actions.ts';

const actors: Readonly<Record<AuditEntry['actor']['kind'], string>> = {
  person: 'A person',
  key: 'API key',
  operator: 'The operator',
  service: 'The service',
};

export function actorName({ actor }: AuditEntry): string {
  if (actor.kind === 'person') return actor.name ?? `Person ${short(actor.id)}`;
  if (actor.kind === 'key') return `API key ${actor.name ?? short(actor.id)}`;
  return actors[actor.kind];
}

/** An act that is not known here is shown as it is. */
export function actionWords({ action }: AuditEntry): string {
  return auditActions[action] ?? action;
}

export function objectName({ object, detail }: AuditEntry): string {
  // An invitation's address says more than its id.
  if (object.kind === 'invitation' && typeof detail.email === 'string') return detail.email;
  return object.name ?? short(object.id);
}

/** Enough of a UUID to tell it from others. */
function short(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id;
}
