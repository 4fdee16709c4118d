import type pg from 'pg';
import { openPool, type Statement } from '../../src/database/connection.ts';
import { sendTogether } from '../../src/database/send-together.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { connection, serveVariant } from './variant.ts';

// The real server, whose lists name the organization in a condition and are read as the owner, to which no policy
// applies, on as many shared connections.
const pool = openPool(connection, 'without-row-security', 2);
const clients = await Promise.all(Array.from({ length: 2 }, () => pool.connect()));
let turn = 0;

await serveVariant(() => ({
  tenant: organizationId => {
    const queryShared = async (statement: Statement) => {
      const values = [...(statement.values ?? []), organizationId];
      const condition = ` where organization_id = $${values.length} and `;
      const text = statement.text.replace(' where ', condition);
      const client = clients[turn++ % clients.length]!;
      sendTogether(client);
      return (await client.query({ ...statement, text, values } as pg.QueryConfig)).rows;
    };
    return { organizationId, queryShared } as unknown as TenantStore;
  },
}));
process.once('SIGTERM', () => {
  for (const client of clients) client.release();
  void pool.end();
});
