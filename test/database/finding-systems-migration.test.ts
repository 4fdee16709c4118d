import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { addSystem, migrateBefore } from '../support/migrate-before.ts';
import { asOwner } from '../support/postgres.ts';
import { testMigration } from '../support/test-migration.ts';

await testMigration('gives each finding the system of its source', correctsSystems);

async function correctsSystems(connection: ConnectionSettings): Promise<void> {
  await migrateBefore(connection, 53);
  const [organization, system, other] = [randomUUID(), randomUUID(), randomUUID()];
  await asOwner(connection, async client => {
    await addSystem(client, organization, system);
    await client.query(
      `insert into systems (organization_id, id, name, environment, kind) values ($1, $2, 'Other', 'test', 'api')`,
      [organization, other],
    );
    await client.query(
      `with source as (
        insert into sources (system_id, name, kind, host, connection_mode) values ($1, 'S', 'website', 's.example', 'direct') returning id)
      insert into findings (system_id, source_id, fingerprint, category, locator, severity, title, remediation, seen, hipaa)
      select system_id, source.id, system_id, 'tls.a', 'l', 'low', 't', 'r', 's', false
      from source, unnest($2::uuid[]) as system_id`,
      [system, [system, other]],
    );
  });
  await migrate(connection);
  await asOwner(connection, async client => {
    await client.query("select set_config('parapet.organization_id', $1, false)", [organization]);
    const { rows } = await client.query(
      'select fingerprint, system_id from findings where organization_id = $1 order by fingerprint = $2',
      [organization, system],
    );
    expect(rows).toEqual([
      { fingerprint: other, system_id: system },
      { fingerprint: system, system_id: system },
    ]);
  });
}
