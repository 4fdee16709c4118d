import type { Statement } from './connection.ts';

/** The actor: an API key, the operator on the host, the service itself, or a person. */
export interface Actor {
  readonly kind: 'key' | 'operator' | 'service' | 'person';
  /** The id of the key or person; a constant word for the operator and the service. */
  readonly id: string;
  /** The client's IP address. */
  readonly address?: string;
}

/** `detail` must not contain secrets: everyone with access to the audit log can read it. */
export interface AuditEvent {
  /** `<object>.<past tense>`: `source.disconnected`. */
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * Appends entries in order, without waiting: while another transaction appends to the organization's log, they stay pending until
 * the next append, with the time they were recorded.
 */
export function auditStatement(actor: Actor, events: readonly AuditEvent[]): Statement {
  return {
    name: 'record-audit',
    text: `select record_audit($1, $2, event->>'action', event->>'objectKind', event->>'objectId',
        coalesce(event->'detail', '{}'), $4)
      from jsonb_array_elements($3::jsonb) with ordinality as given (event, place) order by place`,
    values: [actor.kind, actor.id, JSON.stringify(events), actor.address ?? null],
  };
}

/** Appends the organization's pending entries unless its log is locked. */
export const appendPendingAudit: Statement = {
  name: 'append-pending-audit',
  text: 'select append_pending_audit()',
};
