import type { Expression } from 'kysely';
import type { Scan } from '../../contract/scans.ts';
import type { ConnectionMode, SourceKind, SourceStatus } from '../../contract/sources.ts';
import { anyOf } from '../../database/expressions.ts';
import { jsonRows, jsonTimestamp } from '../../database/json-text.ts';
import { newest, type Page, type PagePlaces, type PageQuery, pageOf, readPage } from '../../database/page.ts';
import { prepared } from '../../database/prepared.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';

/** The columns of the contract's scan. */
export const scanColumns = [
  'id',
  'profile',
  'status',
  'verdict',
  'runs_planned',
  'runs_succeeded',
  'system_id',
  'source_id',
  'created_at',
  'started_at',
  'finished_at',
] as const;

const newestScans = prepared((page: PagePlaces<typeof newest>) =>
  pageOf(db.selectFrom('scans').select(scanColumns), newest, page),
);

export async function listScans(store: TenantStore, query: PageQuery): Promise<Page<Scan>> {
  const list = { organization: store.organizationId, name: 'scans', order: newest };
  return readPage(list, query, page => store.queryShared(newestScans(page)));
}

const startAndEnd = `${jsonTimestamp('started_at')} as started_at, ${jsonTimestamp('finished_at')} as finished_at`;
const runsOfScan = jsonRows(`select id, detector, source_id, status, cause, ${startAndEnd} from scan_runs
  where scan_id = $1 order by source_id, detector`);

/**
 * The scan with its runs, as the JSON of `ScanWithRuns`, since a system can have thousands of runs. Undefined if the
 * organization has none with this id.
 */
export async function findScanText(store: TenantStore, id: string): Promise<string | undefined> {
  const rows = await store.queryOnce<{ scan: string }>({
    name: 'find-scan-text',
    text: `select row_to_json(found)::text as scan from (
        select id, profile, status, verdict, runs_planned, runs_succeeded, system_id, source_id,
          ${jsonTimestamp('created_at')} as created_at, ${startAndEnd}, ${runsOfScan} as runs
        from scans where id = $1) as found`,
    values: [id],
  });
  return rows[0]?.scan;
}

/** A source that may be scanned now. */
export interface ScanSource {
  readonly id: string;
  readonly system_id: string;
  readonly kind: SourceKind;
  readonly host: string;
  readonly connection_mode: ConnectionMode;
}

const sourceColumns = ['id', 'system_id', 'kind', 'host', 'connection_mode'] as const;

/** One of the two is null. */
export interface Target {
  readonly system_id: string | null;
  readonly source_id: string | null;
}

const sourcesOf = ({ source_id, system_id }: Target) =>
  db
    .selectFrom('sources')
    .where(({ eb }) => (source_id ? eb('id', '=', source_id) : eb('system_id', '=', system_id)));

export async function authorizedSources(session: TenantSession, target: Target): Promise<ScanSource[]> {
  return session.query(
    sourcesOf(target).select(sourceColumns).where('scan_authorized_at', 'is not', null).orderBy('id'),
  );
}

/** The distinct statuses of the target's sources. */
export async function statusesOfSources(session: TenantSession, target: Target): Promise<SourceStatus[]> {
  const rows = await session.query(sourcesOf(target).select('status').distinct());
  return rows.map(({ status }) => status);
}

const hostOfId = prepared(({ id }: { readonly id: Expression<string> }) =>
  db.selectFrom('sources').select('host').where('id', '=', id),
);

/** The host of a source, even if it is disconnected; sources are never deleted. */
export async function hostOfSource(store: TenantStore, id: string): Promise<string> {
  const [source] = await store.queryShared(hostOfId({ id }));
  return source?.host ?? '';
}

const authorizedSourceLocked = prepared(({ id }: { readonly id: Expression<string> }) =>
  db
    .selectFrom('sources')
    .select(sourceColumns)
    .where('id', '=', id)
    .where('scan_authorized_at', 'is not', null)
    .forNoKeyUpdate(),
);

/** The source, locked, if it may still be scanned. */
export async function lockAuthorizedSource(
  transaction: TenantTransaction,
  id: string,
): Promise<ScanSource | undefined> {
  const [source] = await transaction.query(authorizedSourceLocked({ id }));
  return source;
}

/** Those of the sources that no other transaction has locked, locked. They may be scanned if they have a time of authorization. */
export async function lockFreeSources(
  transaction: TenantTransaction,
  ids: readonly string[],
): Promise<(ScanSource & { readonly scan_authorized_at: string | null })[]> {
  return transaction.query(
    db
      .selectFrom('sources')
      .select([...sourceColumns, 'scan_authorized_at'])
      .where('id', '=', anyOf(ids))
      .forNoKeyUpdate()
      .skipLocked(),
  );
}

const unfinishedScanLocked = prepared(({ id }: { readonly id: Expression<string> }) =>
  db
    .selectFrom('scans')
    .select(scanColumns)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .forNoKeyUpdate(),
);

/** The scan, locked, if it is unfinished. */
export async function lockUnfinishedScan(
  transaction: TenantTransaction,
  id: string,
): Promise<Scan | undefined> {
  const [scan] = await transaction.query(unfinishedScanLocked({ id }));
  return scan;
}
