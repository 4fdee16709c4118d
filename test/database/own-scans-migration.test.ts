import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { addSystem, migrateBefore } from '../support/migrate-before.ts';
import { asOwner } from '../support/postgres.ts';
import { testMigration } from '../support/test-migration.ts';

await testMigration('marks scans from before that contacted nothing, of each organization', marksOwnScans);

async function marksOwnScans(connection: ConnectionSettings): Promise<void> {
  await migrateBefore(connection, 42);
  const detectors = ['probe.presence', 'shield.requests', 'website.tls'];
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
      for (const detector of detectors) {
        await client.query(
          `with scan as (insert into scans (organization_id, profile, source_id, idempotency_key)
              values ($1, 'safe_all_surfaces', $2, $3) returning id)
            insert into scan_runs (organization_id, scan_id, source_id, detector) select $1, id, $2, $3 from scan`,
          [organization, source, detector],
        );
      }
    }
  });
  await migrate(connection);
  await asOwner(connection, async client => {
    for (const organization of organizations) {
      await client.query("select set_config('parapet.organization_id', $1, false)", [organization]);
      const { rows } = await client.query(
        `select r.detector, s.is_own from scans s join scan_runs r on r.scan_id = s.id
          where s.organization_id = $1 order by r.detector`,
        [organization],
      );
      expect(rows).toEqual(detectors.map(detector => ({ detector, is_own: detector !== 'website.tls' })));
    }
  });
}
