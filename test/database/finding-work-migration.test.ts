import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { addSystem, migrateBefore } from '../support/migrate-before.ts';
import { asOwner } from '../support/postgres.ts';
import { testMigration } from '../support/test-migration.ts';

await testMigration('counts from the last episode of stored findings', keepsEpisodes);

async function keepsEpisodes(connection: ConnectionSettings): Promise<void> {
  await migrateBefore(connection, 67);
  const [organization, system] = [randomUUID(), randomUUID()];
  await asOwner(connection, async client => {
    await addSystem(client, organization, system);
    await client.query(
      `with source as (
          insert into sources (system_id, name, kind, host, connection_mode) values ($1, 'S', 'website', 's.example', 'direct') returning id),
        added as (
          insert into findings (system_id, source_id, fingerprint, category, locator, severity, title, remediation, seen, hipaa, created_at)
          select $1, source.id, name, 'tls.a', 'l', 'low', 't', 'r', 's', false, '2026-01-01' from source, unnest($2::text[]) as name
          returning id, fingerprint)
      insert into finding_episodes (finding_id, number, opened_at, opened_by_scan)
      select id, number, '2026-01-01'::timestamptz + make_interval(days => 10 * (number - 1)), gen_random_uuid()
      from added, generate_series(1, 3) as number where fingerprint = 'again' or number = 1`,
      [system, ['again', 'once']],
    );
  });
  await migrate(connection);
  await asOwner(connection, async client => {
    await client.query("select set_config('parapet.organization_id', $1, false)", [organization]);
    const { rows } = await client.query(
      `select fingerprint, to_char(opened_at, 'YYYY-MM-DD') as opened, reopened_at is not null as again, owner_id, due_on
        from findings where organization_id = $1 order by 1`,
      [organization],
    );
    expect(rows).toEqual([
      { fingerprint: 'again', opened: '2026-01-21', again: true, owner_id: null, due_on: null },
      { fingerprint: 'once', opened: '2026-01-01', again: false, owner_id: null, due_on: null },
    ]);
    const { rows: policies } = await client.query(
      `select due_days_critical as critical, due_days_high as high, due_days_medium as medium, due_days_low as low
        from organizations where id = $1`,
      [organization],
    );
    expect(policies).toEqual([{ critical: 7, high: 30, medium: 90, low: 180 }]);
  });
}
