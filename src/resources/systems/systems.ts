import type { CreateSystem, System } from '../../contract/systems.ts';
import { type Page, type PageQuery, type Position, readPage } from '../../database/page.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

const columns = 'id, name, external_id, environment, kind, approved';

export async function listSystems(store: TenantStore, query: PageQuery): Promise<Page<System>> {
  return readPage(statement => store.queryOnce<System & Position>(statement), {
    organization: store.organizationId,
    table: 'systems',
    columns: `${columns}, created_at`,
    query,
  });
}

/** The system, or undefined when the organization has none with this id. */
export async function findSystem(session: TenantSession, id: string): Promise<System | undefined> {
  const rows = await session.query<System>({
    text: `select ${columns} from systems where id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Throws `external_id_taken` where another system of the organization has it. */
export async function createSystem(transaction: TenantTransaction, input: CreateSystem): Promise<System> {
  const rows = await transaction.query<System>({
    text: `insert into systems (name, environment, kind, external_id) values ($1, $2, $3, $4)
      on conflict on constraint systems_external_id do nothing returning ${columns}`,
    values: [input.name, input.environment, input.kind, input.external_id ?? null],
  });
  const system = rows[0];
  if (!system) {
    throw new Refusal('external_id_taken', {
      fields: [{ path: 'external_id', message: 'is the external_id of another system' }],
    });
  }
  await transaction.audit({
    action: 'system.created',
    objectKind: 'system',
    objectId: system.id,
    detail: { name: system.name, environment: system.environment, kind: system.kind },
  });
  return system;
}
