import type { InferResult } from 'kysely';
import type {
  AuditEntry,
  AuditEntryList,
  AuditFilters,
  ListAuditEntriesQuery,
} from '../../contract/dashboard/audit.ts';
import { isUuid } from '../../contract/uuid.ts';
import { settleAuditLog } from '../../database/audit-chain.ts';
import { inBatches } from '../../database/batches.ts';
import type { Query } from '../../database/connection.ts';
import { anyOf, dayAfter, startOfDay, when } from '../../database/expressions.ts';
import { type PageRows, pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { nameOfPerson } from '../people/person-name.ts';

const order = { sequence: 'bigint' } as const;

const entries = db
  .selectFrom('audit_entries')
  .select(['sequence', 'occurred_at', 'actor_kind', 'actor_id', 'action', 'object_kind', 'object_id'])
  .select(['detail', 'address']);
type EntryRow = InferResult<typeof entries>[number];

/** Newest first. */
export async function listAuditEntries(
  store: TenantStore,
  query: ListAuditEntriesQuery,
): Promise<AuditEntryList> {
  const list = { organization: store.organizationId, name: 'audit_entries', order };
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  await settleAuditLog(store);
  return store.read(async session => {
    const { rows, next_cursor } = await readPage(list, query, page => readEntries(session, filters, page));
    return { entries: await withNames(session, rows), next_cursor };
  });
}

/** All entries that match the filters, newest first, in batches. */
export async function* readAuditEntries(
  store: TenantStore,
  filters: AuditFilters,
): AsyncGenerator<AuditEntry[]> {
  await settleAuditLog(store);
  yield* inBatches<AuditEntry>((last, limit) =>
    store.read(async session => {
      const after = last && { sequence: String(last.sequence) };
      return withNames(session, await readEntries(session, filters, { limit, after }));
    }),
  );
}

function readEntries(
  session: TenantSession,
  { actor_kind, actor_id, action, object_kind, object_id, from, until }: AuditFilters,
  page: PageRows<typeof order>,
): Promise<EntryRow[]> {
  const matching = entries.where(({ and, eb }) =>
    and([
      ...when(actor_kind, word => eb('actor_kind', '=', word)),
      ...when(actor_id, id => eb('actor_id', '=', id)),
      ...when(action, word => eb('action', '=', word)),
      ...when(object_kind, word => eb('object_kind', '=', word)),
      ...when(object_id, id => eb('object_id', '=', id)),
      ...when(from, day => eb('occurred_at', '>=', startOfDay(day))),
      ...when(until, day => eb('occurred_at', '<', dayAfter(day))),
    ]),
  );
  return session.query(pageOf(matching, order, page));
}

interface NamedObject {
  readonly id: string;
  readonly name: string | null;
}

/** Current names of objects; for people who have left, their name at that time. Kinds without names are missing. */
const nameQueries: Readonly<Record<string, (ids: readonly string[]) => Query<NamedObject>>> = {
  person: ids => ({
    text: `select asked.id, ${nameOfPerson('m.person_id = asked.id')} as name from unnest($1::uuid[]) as asked (id)`,
    values: [ids],
  }),
  key: ids => db.selectFrom('api_keys').select(['id', 'name']).where('id', '=', anyOf(ids)),
  organization: ids => db.selectFrom('organizations').select(['id', 'name']).where('id', '=', anyOf(ids)),
  system: ids => db.selectFrom('systems').select(['id', 'name']).where('id', '=', anyOf(ids)),
  source: ids => db.selectFrom('sources').select(['id', 'name']).where('id', '=', anyOf(ids)),
  finding: ids => db.selectFrom('findings').select(['id', 'title as name']).where('id', '=', anyOf(ids)),
  evidence: ids => db.selectFrom('evidence').select(['id', 'name']).where('id', '=', anyOf(ids)),
};

async function withNames(session: TenantSession, rows: readonly EntryRow[]): Promise<AuditEntry[]> {
  const mentioned = rows.flatMap(row => [
    { kind: row.actor_kind as string, id: row.actor_id },
    { kind: row.object_kind, id: row.object_id },
  ]);
  const found = await Promise.all(
    Object.entries(nameQueries).map(async ([kind, query]) => {
      const ids = new Set(mentioned.filter(one => one.kind === kind && isUuid(one.id)).map(({ id }) => id));
      if (ids.size === 0) return [];
      const named = await session.query(query([...ids]));
      return named.map(({ id, name }) => [`${kind} ${id}`, name] as const);
    }),
  );
  const names = new Map(found.flat());
  return rows.map(({ actor_kind, actor_id, object_kind, object_id, ...entry }) => ({
    ...entry,
    actor: { kind: actor_kind, id: actor_id, name: names.get(`${actor_kind} ${actor_id}`) ?? null },
    object: { kind: object_kind, id: object_id, name: names.get(`${object_kind} ${object_id}`) ?? null },
  }));
}
