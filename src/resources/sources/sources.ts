import type { ConnectionTest, CreateSource, Source, SourceStatus } from '../../contract/sources.ts';
import { type Page, type PageQuery, type Position, readPage } from '../../database/page.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { recordPosture } from '../posture/posture.ts';
import { endScansOf, skipRunsOf } from '../scans/stop-scans.ts';
import { turnWatchOff } from './watches.ts';

const columns = 'id, name, kind, host, status, system_id, scan_authorized_at, connection_mode';

export async function listSources(store: TenantStore, query: PageQuery): Promise<Page<Source>> {
  return readPage(statement => store.queryOnce<Source & Position>(statement), {
    organization: store.organizationId,
    table: 'sources',
    columns: `${columns}, created_at`,
    query,
  });
}

/** The source, or undefined when the organization has none with this id. */
export async function findSource(session: TenantSession, id: string): Promise<Source | undefined> {
  const rows = await session.query<Source>({
    text: `select ${columns} from sources where id = $1`,
    values: [id],
  });
  return rows[0];
}

/** False once the source is disconnected. */
export async function isConnectable(store: TenantStore, id: string): Promise<boolean> {
  const rows = await store.queryOnce({
    name: 'is-connectable',
    text: `select from sources where id = $1 and status <> 'disconnected'`,
    values: [id],
  });
  return rows.length > 0;
}

/** The source, locked until the transaction ends, so that its state holds while something is decided by it. */
export async function lockSource(transaction: TenantTransaction, id: string): Promise<Source | undefined> {
  const rows = await transaction.query<Source>({
    text: `select ${columns} from sources where id = $1 for no key update`,
    values: [id],
  });
  return rows[0];
}

/**
 * Sources that are not disconnected. A scan of a system is planned, answered and ended as a whole, and every score counts all
 * sources of the organization: without a bound one organization keeps the process from answering others.
 */
const most = { ofSystem: 500, ofOrganization: 5_000 };

/**
 * Throws `too_many_sources` where the system, or the organization, has as many as it may. Some that are created at the same
 * moment may exceed it.
 */
export async function assertRoomForSource(transaction: TenantTransaction, systemId: string): Promise<void> {
  const [count] = await transaction.query<{ of_system: number; of_organization: number }>({
    text: `select count(*) filter (where system_id = $1)::int as of_system, count(*)::int as of_organization
      from sources where status <> 'disconnected'`,
    values: [systemId],
  });
  if (count!.of_system >= most.ofSystem || count!.of_organization >= most.ofOrganization) {
    throw new Refusal('too_many_sources');
  }
}

/** A draft. `host` is normalized already; the system must exist. */
export async function createSource(
  transaction: TenantTransaction,
  input: CreateSource & { host: string },
): Promise<Source> {
  const rows = await transaction.query<Source>({
    text: `insert into sources (system_id, name, kind, host, connection_mode) values ($1, $2, $3, $4, $5)
      returning ${columns}`,
    values: [input.system_id, input.name, input.kind, input.host, input.connection_mode ?? 'direct'],
  });
  const source = rows[0]!;
  await transaction.audit({
    action: 'source.created',
    objectKind: 'source',
    objectId: source.id,
    detail: { name: source.name, kind: source.kind, host: source.host, system_id: source.system_id },
  });
  return source;
}

/** A draft becomes pending; any other state stays. */
export async function acceptRisk(
  transaction: TenantTransaction,
  id: string,
  statementVersion: string,
): Promise<{ source: Source; acceptedAt: string }> {
  const rows = await transaction.query<Source & { risk_accepted_at: string }>({
    text: `update sources set risk_statement_version = $2, risk_accepted_at = now(),
        status = case status when 'draft' then 'pending' else status end
      where id = $1 returning ${columns}, risk_accepted_at`,
    values: [id, statementVersion],
  });
  await transaction.audit({
    action: 'source.risk_accepted',
    objectKind: 'source',
    objectId: id,
    detail: { statement_version: statementVersion },
  });
  const { risk_accepted_at, ...source } = rows[0]!;
  return { source, acceptedAt: risk_accepted_at };
}

export async function authorizeScan(transaction: TenantTransaction, id: string): Promise<Source> {
  const rows = await transaction.query<Source>({
    text: `update sources set scan_authorized_at = coalesce(scan_authorized_at, now()) where id = $1
      returning ${columns}`,
    values: [id],
  });
  await transaction.audit({ action: 'source.scan_authorized', objectKind: 'source', objectId: id });
  return rows[0]!;
}

/** What a connection test found decides the status; it authorizes nothing. A probe that has not reported is no failure. */
export async function recordTest(
  transaction: TenantTransaction,
  id: string,
  outcome: ConnectionTest,
  decidesStatus: boolean,
): Promise<Source> {
  const status: SourceStatus = outcome.ok ? 'connected' : 'failing';
  const isReport = outcome.error_code !== 'no_probe_report';
  const rows = await transaction.query<Source>({
    text: `update sources set status = coalesce($2, status) where id = $1 returning ${columns}`,
    values: [id, decidesStatus && isReport ? status : null],
  });
  await transaction.audit({
    action: 'source.tested',
    objectKind: 'source',
    objectId: id,
    detail: { ...outcome },
  });
  return rows[0]!;
}

/** A source that was tested is pending again; any other state stays. */
export async function forgetTest(transaction: TenantTransaction, id: string): Promise<Source> {
  const rows = await transaction.query<Source>({
    text: `update sources set status = case when status in ('connected', 'failing') then 'pending' else status end
      where id = $1 returning ${columns}`,
    values: [id],
  });
  return rows[0]!;
}

/**
 * Erases the credential's bytes, every authorization, Watch and the domain's proof, and stops what is under way. Findings and
 * history stay.
 */
export async function disconnectSource(transaction: TenantTransaction, id: string): Promise<Source> {
  const erased = await transaction.query({
    text: 'delete from source_credentials where source_id = $1 returning type',
    values: [id],
  });
  await transaction.query({ text: 'delete from domain_proofs where source_id = $1', values: [id] });
  const rows = await transaction.query<Source>({
    text: `update sources set status = 'disconnected', scan_authorized_at = null where id = $1 returning ${columns}`,
    values: [id],
  });
  // Runs, the score, scans, the audit log: in this order wherever more than one of them is locked.
  const scanIds = await skipRunsOf(transaction, id);
  await recordPosture(transaction, id);
  await endScansOf(transaction, id, scanIds);
  const watched = await turnWatchOff(transaction, id);
  await transaction.audit({
    action: 'source.disconnected',
    objectKind: 'source',
    objectId: id,
    detail: { credential_erased: erased.length > 0, watch_turned_off: watched },
  });
  return rows[0]!;
}
