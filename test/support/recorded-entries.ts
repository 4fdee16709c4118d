/**
 * For a `from`: the entries of the audit logs, with those that are still pending because another transaction was appending
 * to the log. `sequence` orders both.
 */
export const recordedEntries = `(select organization_id, sequence, occurred_at, actor_kind, actor_id, action, object_kind,
    object_id, detail, address from audit_entries
  union all select organization_id, 1000000000 + id, occurred_at, actor_kind, actor_id, action, object_kind,
    object_id, detail, address from pending_audit_entries) recorded`;
