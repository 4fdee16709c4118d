import type pg from 'pg';

/** Records that must be kept for six years (45 CFR 164.316(b)(2)(i)). */
export interface KeptRecords {
  readonly evidence: number;
  readonly attestations: number;
  readonly notes: number;
  /** The end of the last of these periods; null without any. */
  readonly until: string | null;
}

/**
 * Evidence and records of controls within six years of their creation or of when they were last in effect, whichever is later: an
 * attestation is in effect until it expires or is withdrawn, a note until the next one.
 */
export async function keptRecords(owner: pg.ClientBase, id: string): Promise<KeptRecords> {
  const { rows } = await owner.query<KeptRecords>(
    `with kept as (
      select 'evidence' as kind, retained_until as until from evidence where organization_id = $1
      union all
      select 'attestation', coalesce(withdrawn_at, least(valid_until, now())) + interval '6 years'
        from control_attestations where organization_id = $1
      union all
      select 'note', coalesce(lead(written_at) over (partition by control order by written_at, id), now()) + interval '6 years'
        from control_notes where organization_id = $1
    )
    select count(*) filter (where kind = 'evidence')::int as evidence,
      count(*) filter (where kind = 'attestation')::int as attestations,
      count(*) filter (where kind = 'note')::int as notes, max(until) as until
    from kept where until > now()`,
    [id],
  );
  return rows[0]!;
}
