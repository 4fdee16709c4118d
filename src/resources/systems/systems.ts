import type { CreateSystem, System } from '../../contract/systems.ts';
import { newest, type Page, type PagePlaces, type PageQuery, pageOf, readPage } from '../../database/page.ts';
import { prepared } from '../../database/prepared.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';

const columns = ['id', 'name', 'external_id', 'environment', 'kind', 'approved'] as const;

const newestSystems = prepared((page: PagePlaces<typeof newest>) =>
  pageOf(db.selectFrom('systems').select([...columns, 'created_at']), newest, page),
);

export async function listSystems(store: TenantStore, query: PageQuery): Promise<Page<System>> {
  const list = { organization: store.organizationId, name: 'systems', order: newest };
  return readPage(list, query, page => store.queryShared(newestSystems(page)));
}

/** The system, or undefined if the organization has none with this id. */
export async function findSystem(session: TenantSession, id: string): Promise<System | undefined> {
  const [system] = await session.query(db.selectFrom('systems').select(columns).where('id', '=', id));
  return system;
}

/** Throws `external_id_taken` if another system of the organization has it. */
export async function createSystem(transaction: TenantTransaction, input: CreateSystem): Promise<System> {
  const { name, environment, kind, external_id = null } = input;
  const [system] = await transaction.query(
    db
      .insertInto('systems')
      .values({ name, environment, kind, external_id })
      .onConflict(taken => taken.constraint('systems_external_id').doNothing())
      .returning(columns),
  );
  if (!system) {
    throw new Refusal('external_id_taken', {
      fields: [{ path: 'external_id', message: 'is the external_id of another system' }],
    });
  }
  transaction.audit({
    action: 'system.created',
    objectKind: 'system',
    objectId: system.id,
    detail: { name, environment, kind },
  });
  return system;
}
