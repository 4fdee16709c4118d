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
 *   are pending until whoever appends to it next, with the time at which they were recorded
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

/**
 * Entries of all organizations whose chain does not hold: a hash that is not that of its content, a gap, an entry that
 * does not follow its predecessor, a head that is not the last entry, or no log at all, though each organization begins with an
 * entry. The expected hash is computed by this
 * statement, not by the function that wrote the entries.
 */
export const brokenAuditChains: Statement = {
  text: `
    with checked as (
      select organization_id, sequence, hash,
        hash = sha256(previous_hash || convert_to((jsonb_build_array(organization_id, sequence,
          extract(epoch from occurred_at)::text, actor_kind, actor_id, action, object_kind, object_id, detail)
          || case when address is null then '[]'::jsonb else jsonb_build_array(address) end)::text, 'UTF8')) as own,
        previous_hash = coalesce(lag(hash) over chain, '\\x') and sequence = coalesce(lag(sequence) over chain, 0) + 1
          as follows
      from audit_entries window chain as (partition by organization_id order by sequence)
    )
    select organization_id, sequence, case when not own then 'altered' else 'out of sequence' end as problem
    from checked where not own or not follows
    union all
    select h.organization_id, h.sequence, 'head does not match'
    from audit_heads h
    left join lateral (select sequence, hash from audit_entries e where e.organization_id = h.organization_id
      order by sequence desc limit 1) as last on true
    where coalesce(last.sequence, 0) <> h.sequence or coalesce(last.hash, '\\x') <> h.hash
    union all
    select organization_id, max(sequence), 'head is missing' from audit_entries e
    where not exists (select from audit_heads h where h.organization_id = e.organization_id) group by organization_id
    union all
    select id, 0, 'log is missing' from organizations o
    where not exists (select from audit_heads h where h.organization_id = o.id)
      and not exists (select from audit_entries e where e.organization_id = o.id)
    order by 1, 2`,
};
