import type {
  AuditEntry,
  AuditEntryList,
  AuditFilters,
  ListAuditEntriesQuery,
} from '../../contract/dashboard/audit.ts';
import { isUuid } from '../../contract/uuid.ts';
import { listLimit } from '../../contract/values.ts';
import { inBatches } from '../../database/batches.ts';
import { type Condition, givenConditions, whereClause } from '../../database/conditions.ts';
import { decodeCursor, encodeCursor } from '../../database/cursor.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import { nameOfPerson } from '../people/person-name.ts';

interface EntryRow {
  readonly sequence: number;
  readonly occurred_at: string;
  readonly actor_kind: AuditEntry['actor']['kind'];
  readonly actor_id: string;
  readonly action: string;
  readonly object_kind: string;
  readonly object_id: string;
  readonly detail: Record<string, unknown>;
  readonly address: string | null;
}

/** Newest first. */
export async function listAuditEntries(
  store: TenantStore,
  { limit, cursor, ...filters }: ListAuditEntriesQuery,
): Promise<AuditEntryList> {
  const conditions = conditionsOf(filters);
  const list = { organization: store.organizationId, name: 'audit_entries', conditions };
  const before = cursor ? decodeCursor(cursor, ['bigint'], list)[0] : undefined;
  const rowCount = limit === undefined ? listLimit : Number(limit);
  return store.read(async session => {
    const rows = await readEntries(session, conditions, before, rowCount + 1);
    const kept = rows.slice(0, rowCount);
    const more = rows.length > rowCount;
    return {
      entries: await withNames(session, kept),
      next_cursor: more ? encodeCursor([String(kept.at(-1)!.sequence)], list) : null,
    };
  });
}

/** All that the filters leave, newest first, in batches. */
export function readAuditEntries(store: TenantStore, filters: AuditFilters): AsyncGenerator<AuditEntry[]> {
  const conditions = conditionsOf(filters);
  return inBatches<AuditEntry>((last, limit) =>
    store.read(async session =>
      withNames(session, await readEntries(session, conditions, last && String(last.sequence), limit)),
    ),
  );
}

function conditionsOf(filters: AuditFilters): Condition[] {
  return givenConditions(
    ['actor_kind = $', filters.actor_kind],
    ['actor_id = $', filters.actor_id],
    ['action = $', filters.action],
    ['object_kind = $', filters.object_kind],
    ['object_id = $', filters.object_id],
    ['occurred_at >= $::date', filters.from],
    ['occurred_at < $::date + 1', filters.until],
  );
}

async function readEntries(
  session: TenantSession,
  conditions: readonly Condition[],
  before: string | undefined,
  limit: number,
): Promise<EntryRow[]> {
  const values: unknown[] = [limit];
  const where = whereClause(conditions, values);
  const after = before === undefined ? 'true' : `sequence < $${values.push(before)}`;
  return session.query<EntryRow>({
    text: `select sequence, occurred_at, actor_kind, actor_id, action, object_kind, object_id, detail, address
      from audit_entries where ${where} and ${after} order by sequence desc limit $1`,
    values,
  });
}

/** What objects of a kind are called: now, but for people who have left. Kinds without a name of their own are not here. */
const nameQueries: Readonly<Record<string, string>> = {
  person: `select asked.id, ${nameOfPerson('m.person_id = asked.id')} as name from unnest($1::uuid[]) as asked (id)`,
  key: 'select id, name from api_keys where id = any($1)',
  organization: 'select id, name from organizations where id = any($1)',
  system: 'select id, name from systems where id = any($1)',
  source: 'select id, name from sources where id = any($1)',
  finding: 'select id, title as name from findings where id = any($1)',
  evidence: 'select id, name from evidence where id = any($1)',
};

async function withNames(session: TenantSession, rows: readonly EntryRow[]): Promise<AuditEntry[]> {
  const mentioned = rows.flatMap(row => [
    { kind: row.actor_kind as string, id: row.actor_id },
    { kind: row.object_kind, id: row.object_id },
  ]);
  const found = await Promise.all(
    Object.entries(nameQueries).map(async ([kind, text]) => {
      const ids = new Set(mentioned.filter(one => one.kind === kind && isUuid(one.id)).map(({ id }) => id));
      if (ids.size === 0) return [];
      const named = await session.query<{ id: string; name: string | null }>({ text, values: [[...ids]] });
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
