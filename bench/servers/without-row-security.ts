import type pg from 'pg';
import { openPool, type Statement } from '../../src/database/connection.ts';
import { sendTogether } from '../../src/database/send-together.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { alwaysChanged, connection, serveVariant } from './variant.ts';

// The real server without responses from memory. Its lists name the organization in a condition and are read
// as the owner, to which no policy applies, on as many shared connections.
const pool = openPool(connection, 'without-row-security', 4);
const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
let turn = 0;

await serveVariant(storage => ({
  guard: alwaysChanged(storage),
  tenant: organizationId => {
    const queryShared = async (statement: Statement) => {
      const values = [...(statement.values ?? []), organizationId];
      const condition = ` where organization_id = $${values.length} and `;
      const text = statement.text.replace(' where ', condition);
      const client = clients[turn++ % clients.length]!;
      sendTogether(client);
      return (await client.query({ ...statement, text, values } as pg.QueryConfig)).rows;
    };
    return { queryShared } as unknown as TenantStore;
  },
}));
process.once('SIGTERM', () => {
  for (const client of clients) client.release();
  void pool.end();
});
