import type { RequestGuard } from '../../src/database/request-guard.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { serveVariant } from './variant.ts';

// The real server with a guard that admits every signed request and with empty lists, so that nothing queries
// the database.
const emptyStore = { queryShared: async () => [] } as unknown as TenantStore;

const admitsAll = { admit: async () => ({ dataVersion: '0' }) } as unknown as RequestGuard;

await serveVariant(() => ({
  guard: admitsAll,
  tenant: () => emptyStore,
}));
