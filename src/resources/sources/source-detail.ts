import type { SourceDetail, SourceRow } from '../../contract/dashboard/sources.ts';
import type { RunStatus } from '../../contract/scans.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { explainCause, whyNothingAssessed } from '../../domain/scan-causes.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { droppedBy, reportOnSource } from '../probes/probe-list.ts';
import type { ScanningService } from '../scans/request-scan.ts';
import { proofValidDays } from './current-proof.ts';
import { type DomainProof, storedDomainProof } from './domain-proofs.ts';
import { findSourceRow } from './source-list.ts';

/** All stored data of a source, except its credential's value. */
export interface StoredSource {
  readonly source: SourceRow;
  readonly riskAccepted: SourceDetail['risk_accepted'];
  readonly credential: SourceDetail['credential']['stored'];
  readonly nothingAssessed: SourceDetail['nothing_assessed'];
  readonly failedTest: SourceDetail['failed_test'];
  readonly watch: SourceDetail['watch'];
  readonly report: SourceDetail['report'];
  readonly dropped: SourceDetail['dropped'];
  readonly proof: DomainProof | undefined;
  readonly assessments: Omit<SourceDetail['assessments'][number], 'title'>[];
}

/** Undefined if the organization has no such source. */
export async function findSourceDetail(
  store: TenantStore,
  id: string,
  service: ScanningService,
): Promise<StoredSource | undefined> {
  return store.read(async session => {
    const source = await findSourceRow(session, id, service);
    if (!source) return undefined;
    const [
      [riskAccepted = null],
      [credential = null],
      nothingAssessed,
      failedTest,
      [watch = null],
      report,
      dropped,
      proof,
      assessments,
    ] = await Promise.all([
      findRiskAcceptance(session, id),
      findStoredCredential(session, id),
      findNothingAssessed(session, source),
      findFailedTest(session, source),
      findWatch(session, id),
      reportOnSource(session, id),
      droppedBy(session, id),
      storedDomainProof(session, id),
      listSourceAssessments(session, id),
    ]);
    return {
      source,
      riskAccepted,
      credential,
      nothingAssessed,
      failedTest,
      watch,
      report,
      dropped,
      proof,
      assessments,
    };
  });
}

/** When the permission for full scans expires. */
export function validUntil({ proven_at }: DomainProof): string | null {
  if (proven_at === null) return null;
  return timestampOf(new Date(Date.parse(proven_at) + proofValidDays * 86_400_000));
}

function findRiskAcceptance(session: TenantSession, id: string) {
  return session.query<NonNullable<SourceDetail['risk_accepted']>>({
    text: `select risk_statement_version as statement_version, risk_accepted_at as accepted_at from sources
      where id = $1 and risk_accepted_at is not null and risk_statement_version is not null`,
    values: [id],
  });
}

function findStoredCredential(session: TenantSession, id: string) {
  return session.query(
    db.selectFrom('source_credentials').select(['type', 'stored_at']).where('source_id', '=', id),
  );
}

/** Null if the last scan has not finished, or assessed something of the source. */
async function findNothingAssessed(
  session: TenantSession,
  { id, kind, last_scan: scan, connection_mode }: SourceRow,
): Promise<SourceDetail['nothing_assessed']> {
  if (!scan?.finished_at) return null;
  const runs = await session.query<{ status: RunStatus; cause: string | null }>({
    text: `select status, cause from scan_runs where scan_id = $1 and source_id = $2
      group by status, cause order by count(*) desc, cause`,
    values: [scan.id, id],
  });
  const causes = whyNothingAssessed(runs, connection_mode, kind);
  return causes ? { causes } : null;
}

/** A test sets the status of a source that the service connects to, and the audit log has its result. */
async function findFailedTest(
  session: TenantSession,
  { id, kind, status, connection_mode }: SourceRow,
): Promise<SourceDetail['failed_test']> {
  if (status !== 'failing' || connection_mode === 'probe') return null;
  const [test] = await session.query<{ checked_at: string | null; error_code: string | null }>({
    text: `select detail->>'checked_at' as checked_at, detail->>'error_code' as error_code from audit_entries
      where object_kind = 'source' and object_id = $1::uuid::text and action = 'source.tested' order by sequence desc limit 1`,
    values: [id],
  });
  if (!test?.checked_at || !test.error_code) return null;
  const { checked_at, error_code } = test;
  return { checked_at, error_code, ...explainCause(error_code, connection_mode, kind) };
}

function findWatch(session: TenantSession, id: string): Promise<NonNullable<SourceDetail['watch']>[]> {
  return session.query(
    db.selectFrom('watches').select(['every_hours', 'next_scan_at']).where('source_id', '=', id),
  );
}

/** Failed checks first, then those not assessed. */
function listSourceAssessments(session: TenantSession, id: string): Promise<StoredSource['assessments']> {
  return session.query({
    text: `select check_id as check, outcome, reason, looked_at from check_assessments where source_id = $1
      order by array_position(array['observed', 'not_assessed', 'passed', 'not_applicable'], outcome), check_id`,
    values: [id],
  });
}
