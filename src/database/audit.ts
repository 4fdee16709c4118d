import type { Statement } from './connection.ts';

/** Who did it: a key of the API, the operator at the host, the service by itself, or a person. */
export interface Actor {
  readonly kind: 'key' | 'operator' | 'service' | 'person';
  /** The key's or person's id; for the operator and the service a word. */
  readonly id: string;
  /** Where the request came from: an IP address. */
  readonly address?: string;
}

/** What was done. `detail` holds no secret: it can be read by everyone who may read the audit log. */
export interface AuditEvent {
  /** `<object>.<past tense>`: `source.disconnected`. */
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * Appends entries in their order.
 *
 * @param how `append_audit` waits where the log is in use. `record_audit` waits for nobody: where the log is in use, the entries
 *   are pending until the next append, with the time at which they were recorded
 */
export function auditStatement(
  actor: Actor,
  events: readonly AuditEvent[],
  how: 'append_audit' | 'record_audit' = 'append_audit',
): Statement {
  return {
    name: how,
    text: `select ${how}($1, $2, event->>'action', event->>'objectKind', event->>'objectId',
        coalesce(event->'detail', '{}'), $4)
      from jsonb_array_elements($3::jsonb) with ordinality as given (event, place) order by place`,
    values: [actor.kind, actor.id, JSON.stringify(events), actor.address ?? null],
  };
}

/** Appends what is pending for the organization, where its log is free. */
export const appendPendingAudit: Statement = {
  name: 'append-pending-audit',
  text: 'select append_pending_audit()',
};
