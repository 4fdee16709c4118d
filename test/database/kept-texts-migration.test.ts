import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { addSystem, migrateBefore } from '../support/migrate-before.ts';
import { asOwner } from '../support/postgres.ts';
import { testMigration } from '../support/test-migration.ts';

await testMigration(
  'keeps texts of findings and days of Shield from before, of each organization',
  keepsTextsAndDays,
);

const long = 'X'.repeat(400);

async function keepsTextsAndDays(connection: ConnectionSettings): Promise<void> {
  await migrateBefore(connection, 50);
  const organizations = [randomUUID(), randomUUID()];
  await asOwner(connection, async client => {
    for (const organization of organizations) {
      const [system, source] = [randomUUID(), randomUUID()];
      await addSystem(client, organization, system);
      await client.query(
        `insert into sources (organization_id, id, system_id, name, kind, host, connection_mode)
          values ($1, $2, $3, 'S', 'website', 's.example', 'direct')`,
        [organization, source, system],
      );
      await client.query(
        `insert into findings (organization_id, system_id, source_id, category, fingerprint, locator, severity, title, remediation, seen, hipaa)
          select $1, $2, $3, 'tls.expired', locator, locator, 'high', 'Expired', '', '', false from unnest($4::text[]) as locator`,
        [organization, system, source, ['https://S.example', 'HTTPS://s.example', long]],
      );
      await client.query(
        `insert into shield_hours (organization_id, source_id, hour, attack, blocked, detected)
          select $1, $2, hour, attack, 2, 1
          from unnest(array['2026-03-01T23:00Z', '2026-03-02T00:00Z']::timestamptz[]) as hour, unnest(array['sqli', 'xss']) as attack`,
        [organization, source],
      );
    }
  });
  await migrate(connection);
  await asOwner(connection, async client => {
    for (const organization of organizations) {
      await client.query("select set_config('parapet.organization_id', $1, false)", [organization]);
      const read = async (text: string) => (await client.query(text, [organization])).rows;
      expect(await read('select check_id, title from check_titles where organization_id = $1')).toEqual([
        { check_id: 'tls.expired', title: 'Expired' },
      ]);
      expect(await read('select locators from source_locators where organization_id = $1')).toEqual([
        { locators: `https://s.example\n${'x'.repeat(300)}` },
      ]);
      expect(
        await read(
          `select day::text, blocked::int, detected::int from shield_days where organization_id = $1 order by day`,
        ),
      ).toEqual([
        { day: '2026-03-01', blocked: 4, detected: 2 },
        { day: '2026-03-02', blocked: 4, detected: 2 },
      ]);
    }
  });
}
