import type { Attestation } from '../../contract/dashboard/controls.ts';
import type { Evidence } from '../../contract/dashboard/evidence.ts';
import type { Scan } from '../../contract/scans.ts';
import { inBatches } from '../../database/batches.ts';
import { idsOf } from '../../database/page.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { attestationColumns } from '../controls/attestations.ts';
import { evidenceColumns } from '../evidence/evidence.ts';

/** Days in UTC, both inclusive: `2026-11-21`. */
export interface Period {
  readonly from: string;
  readonly until: string;
}

const within = (column: string) => `${column} >= $1::date and ${column} < $2::date + 1`;

const inEffect = `a.attested_at < $2::date + 1 and a.valid_until >= $1::date
  and (a.withdrawn_at is null or a.withdrawn_at >= $1::date)
  and not exists (select from control_attestations newer
    where newer.control = a.control and newer.attested_at > a.attested_at and newer.attested_at < $1::date)`;

/** The ids of attestations that were in effect during the period, ordered by citation. At most `limit`. */
export async function attestationsInEffect(session: TenantSession, { from, until }: Period, limit: number) {
  const rows = await session.query<{ id: string }>({
    text: `select a.id from control_attestations a
      where ${inEffect}
      order by a.control, a.attested_at desc, a.id limit $3`,
    values: [from, until, limit],
  });
  return idsOf(rows);
}

/** In the order of the ids. */
export async function attestationsById(session: TenantSession, ids: readonly string[]) {
  return session.query<Attestation>({
    text: `select ${attestationColumns} from unnest($1::uuid[]) with ordinality as given (id, position)
      join control_attestations a on a.id = given.id order by given.position`,
    values: [ids],
  });
}

/**
 * Evidence that was created in the period or belongs to an attestation in effect during it, in batches, oldest first.
 */
export function evidenceOf(session: TenantSession, { from, until }: Period): AsyncGenerator<Evidence[]> {
  return inBatches<Evidence>((last, limit) =>
    session.query<Evidence>({
      text: `select ${evidenceColumns} from evidence
        where (${within('created_at')} or id in (select l.evidence_id from attestation_evidence l
            join control_attestations a on a.id = l.attestation_id where ${inEffect})) and ($3::timestamptz is null or (created_at, id) > ($3::timestamptz, $4::uuid))
        order by created_at, id limit $5`,
      values: [from, until, last?.created_at ?? null, last?.id ?? null, limit],
    }),
  );
}

/** How many scans of the period ended with which status and verdict. */
export async function scanCounts(
  session: TenantSession,
  { from, until }: Period,
): Promise<{ status: string; verdict: string | null; scans: number }[]> {
  return session.query({
    text: `select status, verdict, count(*)::int as scans from scans where ${within('created_at')}
      group by status, verdict order by status, verdict`,
    values: [from, until],
  });
}

export interface ScanRecord extends Scan {
  readonly target: string;
}

/** Scans of the period with their targets, newest first, after the given one. */
export async function scansOf(
  session: TenantSession,
  { from, until }: Period,
  after: ScanRecord | undefined,
  limit: number,
): Promise<ScanRecord[]> {
  return session.query<ScanRecord>({
    text: `select c.id, c.profile, c.status, c.verdict, c.runs_planned, c.runs_succeeded, c.system_id, c.source_id,
        c.created_at, c.started_at, c.finished_at, coalesce(s.name, y.name) as target
      from scans c left join sources s on s.id = c.source_id left join systems y on y.id = c.system_id
      where ${within('c.created_at')} and ($3::timestamptz is null or (c.created_at, c.id) < ($3::timestamptz, $4::uuid))
      order by c.created_at desc, c.id desc limit $5`,
    values: [from, until, after?.created_at ?? null, after?.id ?? null, limit],
  });
}
