import type pg from 'pg';

/** What people and changing websites add, for each source. It is never deleted. */
export const assumed = {
  /** A day: requested scans, triage, changed settings, sign-ins. */
  auditEntries: 0.1,
  /** Days between two findings that appear and are resolved later. */
  daysPerFinding: 30,
};

/** The day’s score, audit entries, and every month a finding of each source with its episode and a decision. */
export async function addRecordsOfDay(owner: pg.Client, day: Date, number: number): Promise<void> {
  await owner.query(
    `insert into posture_scores (day, score, sources, critical, high, medium, low, info, recorded_at)
      select ($1::timestamptz at time zone 'UTC')::date, 50 + $2 % 20, count(*), sum(critical), sum(high), sum(medium), sum(low),
        sum(info), $1 from source_postures
      on conflict (organization_id, day) do nothing`,
    [day, number],
  );
  const { rows } = await owner.query<{ entries: number }>(
    'select ceil(count(*) * $1::float8)::int as entries from sources',
    [assumed.auditEntries],
  );
  await addAuditEntries(owner, rows[0]!.entries);
  if (number % assumed.daysPerFinding !== 0) return;
  await owner.query(
    `with added as (
        insert into findings (system_id, source_id, fingerprint, category, locator, severity, title, remediation, seen, hipaa,
            subject, observed, created_at, updated_at, last_seen_at)
          select distinct on (source_id) system_id, source_id, encode(sha256((fingerprint || $1)::bytea), 'hex'), category,
            locator || '/' || $1, severity, title, remediation, seen, hipaa, subject, false, $2::timestamptz,
            $2::timestamptz + interval '7 days', $2::timestamptz + interval '7 days'
          from findings where observed order by source_id, id
        returning id, created_at, updated_at, source_id),
      decided as (
        insert into finding_decisions (finding_id, number, decision, reason, actor_kind, actor_id, decided_at)
          select id, 1, 'false_positive', 'The page shows sample data.', 'person', gen_random_uuid()::text, created_at from added)
      insert into finding_episodes (finding_id, number, opened_at, opened_by_scan, closed_at, closed_by_scan)
        select a.id, 1, a.created_at, s.scan_id, a.updated_at, s.scan_id from added a join last_scans s on s.target_id = a.source_id`,
    [String(number), day],
  );
  await owner.query('select fold_check_counts()');
}

export async function addAuditEntries(owner: pg.Client, count: number): Promise<void> {
  await owner.query(
    `select append_audit('person', gen_random_uuid()::text, 'scan.requested', 'scan', gen_random_uuid()::text,
        jsonb_build_object('profile', 'safe_all_surfaces', 'system_id', null, 'source_id', gen_random_uuid()), '192.0.2.1')
      from generate_series(1, $1::int)`,
    [count],
  );
}

/** Counts every change that waits to be counted: up to 32 may, which pages add up, whatever the age of the installation. */
export async function foldCounts(owner: pg.Client): Promise<void> {
  await owner.query(
    `insert into check_count_deltas (check_ids, states, severity_ranks, hipaa, days, counts)
      select '{}', '{}', '{}', '{}', '{}', '{}' from generate_series(1, 32)`,
  );
  await owner.query('select fold_check_counts()');
}
