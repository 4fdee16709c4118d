import { randomUUID } from 'node:crypto';
import type { CreateSource } from '../../src/contract/sources.ts';
import type { TenantStore, TenantTransaction } from '../../src/database/tenant-store.ts';
import { requestScan } from '../../src/resources/scans/request-scan.ts';
import { acceptRisk, authorizeScan, createSource } from '../../src/resources/sources/sources.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import type { SharedService } from './service.ts';

export interface AuthorizedSource {
  readonly organizationId: string;
  /** Acts as the worker. */
  readonly store: TenantStore;
  /** Acts as a person. */
  readonly person: TenantStore;
  readonly systemId: string;
  readonly sourceId: string;
}

/** A source that may be scanned, in its own organization, created without the API. */
export async function authorizedSource(
  service: SharedService,
  input: Partial<Pick<CreateSource, 'kind' | 'connection_mode' | 'host'>> = {},
): Promise<AuthorizedSource> {
  const organizationId = await service.createOrganization();
  const store = service.storage.tenant(organizationId, { kind: 'service', id: 'worker' });
  const person = service.storage.tenant(organizationId, { kind: 'person', id: randomUUID() });
  return person.transaction(async transaction => {
    const system = await createSystem(transaction, { name: 'S', environment: 'test', kind: 'site' });
    const source = await createSource(transaction, {
      system_id: system.id,
      name: 'W',
      kind: 'website',
      host: 'shop.example',
      ...input,
    });
    await acceptRisk(transaction, source.id, '1');
    await authorizeScan(transaction, source.id);
    return { organizationId, store, person, systemId: system.id, sourceId: source.id };
  });
}

/** A queued scan of the source that no worker has claimed. */
export async function queuedScan({ store, sourceId }: AuthorizedSource): Promise<string> {
  const { scan } = await store.transaction(transaction =>
    requestScan(
      transaction,
      { source_id: sourceId, idempotency_key: randomUUID() },
      { privilegedConnections: true },
    ),
  );
  return scan.id;
}

/** Creates an authorized website for each host, with its own queued scan. */
export async function queueScanOfEach(
  transaction: TenantTransaction,
  systemId: string,
  hosts: readonly string[],
): Promise<void> {
  const rows = await transaction.query<{ id: string }>({
    text: `insert into sources (system_id, name, kind, host, connection_mode, status, scan_authorized_at)
      select $1, 'W', 'website', host, 'direct', 'pending', now() from unnest($2::text[]) as host returning id`,
    values: [systemId, hosts],
  });
  for (const { id } of rows)
    await requestScan(
      transaction,
      { source_id: id, idempotency_key: `scan ${id}` },
      { privilegedConnections: true },
    );
}
