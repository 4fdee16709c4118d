import { randomUUID } from 'node:crypto';
import type { CreateSource } from '../../src/contract/sources.ts';
import { requestScan } from '../../src/storage/request-scan.ts';
import { acceptRisk, authorizeScan, createSource } from '../../src/storage/sources.ts';
import { createSystem } from '../../src/storage/systems.ts';
import type { TenantStore } from '../../src/storage/tenant-store.ts';
import type { TestService } from './service.ts';

export interface AuthorizedSource {
  readonly organizationId: string;
  /** In the name of the worker. */
  readonly store: TenantStore;
  /** In the name of a person. */
  readonly person: TenantStore;
  readonly systemId: string;
  readonly sourceId: string;
}

/** A source that may be scanned, in an organization of its own, made without the API. */
export async function authorizedSource(
  service: TestService,
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

/** A scan of the source that nobody works on. */
export async function queuedScan({ store, sourceId }: AuthorizedSource): Promise<string> {
  const { scan } = await store.transaction(transaction =>
    requestScan(transaction, { source_id: sourceId, idempotency_key: randomUUID() }),
  );
  return scan.id;
}
