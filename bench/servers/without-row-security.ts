import type pg from 'pg';
import { openPool, type Statement } from '../../src/database/connection.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { alwaysChanged, connection, serveVariant } from './variant.ts';

// The real server without responses from memory. Its lists name the organization in a condition and are read
// as the owner, to which no policy applies.
const pool = openPool(connection, 'without-row-security', 10);

await serveVariant(storage => ({
  guard: alwaysChanged(storage),
  tenant: organizationId => {
    const queryOnce = async (statement: Statement) => {
      const values = [...(statement.values ?? []), organizationId];
      const condition = ` where organization_id = $${values.length} order by `;
      const text = statement.text.replace(' order by ', condition);
      return (await pool.query({ ...statement, text, values } as pg.QueryConfig)).rows;
    };
    return { queryOnce } as unknown as TenantStore;
  },
}));
process.once('SIGTERM', () => void pool.end());
