import type { RequestGuard } from '../../src/database/request-guard.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { serveVariant } from './variant.ts';

// The real server, whose guard admits all that is signed and whose lists are empty: nothing asks the database.
const emptyStore = { queryOnce: async () => [] } as unknown as TenantStore;

const admitsAll = { admit: async () => ({ dataVersion: '0' }) } as unknown as RequestGuard;

await serveVariant(() => ({
  guard: admitsAll,
  tenant: () => emptyStore,
}));
