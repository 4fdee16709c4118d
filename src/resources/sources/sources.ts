import type { Expression } from 'kysely';
import type { ConnectionTest, CreateSource, Source, SourceStatus } from '../../contract/sources.ts';
import { countOfRows, countOfRowsWhere, now } from '../../database/expressions.ts';
import { newest, type Page, type PagePlaces, type PageQuery, pageOf, readPage } from '../../database/page.ts';
import { prepared } from '../../database/prepared.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { recordNotice } from '../notifications/record-notice.ts';
import { recordPosture } from '../posture/posture.ts';
import { endScansOf, skipRunsOf } from '../scans/stop-scans.ts';
import { turnShieldOff } from '../shield/shields.ts';
import { turnWatchOff } from './watches.ts';

const columns = [
  'id',
  'name',
  'kind',
  'host',
  'status',
  'system_id',
  'scan_authorized_at',
  'connection_mode',
] as const;

const newestSources = prepared((page: PagePlaces<typeof newest>) =>
  pageOf(db.selectFrom('sources').select([...columns, 'created_at']), newest, page),
);

export async function listSources(store: TenantStore, query: PageQuery): Promise<Page<Source>> {
  const list = { organization: store.organizationId, name: 'sources', order: newest };
  return readPage(list, query, page => store.queryShared(newestSources(page)));
}

/** The source, or undefined if the organization has none with this id. */
export async function findSource(session: TenantSession, id: string): Promise<Source | undefined> {
  const [source] = await session.query(db.selectFrom('sources').select(columns).where('id', '=', id));
  return source;
}

const connectable = prepared(({ id }: { readonly id: Expression<string> }) =>
  db.selectFrom('sources').select('id').where('id', '=', id).where('status', '<>', 'disconnected'),
);

/** False after the source was disconnected. */
export async function isConnectable(store: TenantStore, id: string): Promise<boolean> {
  return (await store.queryOnce(connectable({ id }))).length > 0;
}

/** The source, locked until the transaction ends, so that its status does not change during a decision. */
export async function lockSource(transaction: TenantTransaction, id: string): Promise<Source | undefined> {
  const [source] = await transaction.query(
    db.selectFrom('sources').select(columns).where('id', '=', id).forNoKeyUpdate(),
  );
  return source;
}

/**
 * Limits of connected sources. A scan of a system is planned, returned and ended as a whole, and every score counts all
 * sources of the organization: without a limit, one organization could keep the process from serving others.
 */
const most = { ofSystem: 500, ofOrganization: 5_000 };

/** Throws `too_many_sources` if the system or the organization has the maximum. Simultaneous requests may exceed it. */
export async function assertRoomForSource(transaction: TenantTransaction, systemId: string): Promise<void> {
  const [count] = await transaction.query(
    db
      .selectFrom('sources')
      .select(({ eb }) => [
        countOfRowsWhere(eb('system_id', '=', systemId)).as('of_system'),
        countOfRows.as('of_organization'),
      ])
      .where('status', '<>', 'disconnected'),
  );
  if (count!.of_system >= most.ofSystem || count!.of_organization >= most.ofOrganization) {
    throw new Refusal('too_many_sources');
  }
}

/** Creates a draft. `host` must be normalized; the system must exist. */
export async function createSource(
  transaction: TenantTransaction,
  input: CreateSource & { host: string },
): Promise<Source> {
  const { system_id, name, kind, host } = input;
  const connection_mode = input.connection_mode ?? 'direct';
  const [source] = await transaction.query(
    db.insertInto('sources').values({ system_id, name, kind, host, connection_mode }).returning(columns),
  );
  transaction.audit({
    action: 'source.created',
    objectKind: 'source',
    objectId: source!.id,
    detail: { name, kind, host, system_id: source!.system_id },
  });
  return source!;
}

/** Updates a source and returns it. */
const changed = (id: string) => db.updateTable('sources').where('id', '=', id).returning(columns);

/** A draft becomes pending; other statuses are kept. */
export async function acceptRisk(
  transaction: TenantTransaction,
  id: string,
  statementVersion: string,
): Promise<{ source: Source; acceptedAt: string }> {
  const [accepted] = await transaction.query(
    changed(id)
      .set(({ eb }) => ({
        risk_statement_version: statementVersion,
        risk_accepted_at: now,
        status: eb
          .case()
          .when('status', '=', 'draft')
          .then(eb.val<SourceStatus>('pending'))
          .else(eb.ref('status'))
          .end(),
      }))
      .returning(eb => eb.fn.coalesce('risk_accepted_at', now).as('accepted_at')),
  );
  transaction.audit({
    action: 'source.risk_accepted',
    objectKind: 'source',
    objectId: id,
    detail: { statement_version: statementVersion },
  });
  const { accepted_at: acceptedAt, ...source } = accepted!;
  return { source, acceptedAt };
}

export async function authorizeScan(transaction: TenantTransaction, id: string): Promise<Source> {
  const [source] = await transaction.query(
    changed(id).set(({ fn }) => ({ scan_authorized_at: fn.coalesce('scan_authorized_at', now) })),
  );
  transaction.audit({ action: 'source.scan_authorized', objectKind: 'source', objectId: id });
  return source!;
}

/** The result of a connection test, which may set the status; it authorizes nothing. */
export async function recordTest(
  transaction: TenantTransaction,
  id: string,
  outcome: ConnectionTest,
  decidesStatus: boolean,
): Promise<Source> {
  const status: SourceStatus = outcome.ok ? 'connected' : 'failing';
  if (decidesStatus && !outcome.ok) await noteFailing(transaction, id);
  const [source] = await transaction.query(
    changed(id).set(({ ref }) => ({ status: decidesStatus ? status : ref('status') })),
  );
  transaction.audit({
    action: 'source.tested',
    objectKind: 'source',
    objectId: id,
    detail: { ...outcome },
  });
  return source!;
}

/** Subscribers get a message if the connection worked before. */
async function noteFailing(transaction: TenantTransaction, id: string): Promise<void> {
  const before = db.selectFrom('sources').select('status').where('id', '=', id);
  const [source] = await transaction.query(before);
  if (source?.status === 'connected')
    await recordNotice(transaction, { kind: 'source_failing', objectId: id });
}

/** A tested source becomes pending again; other statuses are kept. */
export async function forgetTest(transaction: TenantTransaction, id: string): Promise<Source> {
  const [source] = await transaction.query(
    changed(id).set(({ eb }) => ({
      status: eb
        .case()
        .when('status', 'in', ['connected', 'failing'])
        .then(eb.val<SourceStatus>('pending'))
        .else(eb.ref('status'))
        .end(),
    })),
  );
  return source!;
}

/**
 * Erases the credential, every authorization, Watch, Shield and the domain's proof, and stops running scans. Findings and
 * history are kept.
 */
export async function disconnectSource(transaction: TenantTransaction, id: string): Promise<Source> {
  const erased = await transaction.query(
    db.deleteFrom('source_credentials').where('source_id', '=', id).returning('type'),
  );
  await transaction.query(db.deleteFrom('domain_proofs').where('source_id', '=', id));
  const [source] = await transaction.query(
    changed(id).set({ status: 'disconnected', scan_authorized_at: null }),
  );
  // Lock order in all transactions: runs, the score, scans, the audit log.
  const scanIds = await skipRunsOf(transaction, id);
  await recordPosture(transaction, id);
  await endScansOf(transaction, id, scanIds);
  const watched = await turnWatchOff(transaction, id);
  const shielded = await turnShieldOff(transaction, id);
  transaction.audit({
    action: 'source.disconnected',
    objectKind: 'source',
    objectId: id,
    detail: { credential_erased: erased.length > 0, watch_turned_off: watched, shield_turned_off: shielded },
  });
  return source!;
}
