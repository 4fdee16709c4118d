import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { addSystem, migrateBefore } from '../support/migrate-before.ts';
import { asOwner } from '../support/postgres.ts';
import { testMigration } from '../support/test-migration.ts';

await testMigration('keeps the outcomes and counts of each organization', keepsOutcomes);

const outcomes = `select source_id, check_id, outcome, reason, scan_id, looked_at from check_assessments
  where organization_id = $1 order by source_id, check_id`;

async function keepsOutcomes(connection: ConnectionSettings): Promise<void> {
  await migrateBefore(connection, 47);
  const organizations = [randomUUID(), randomUUID()];
  const before = await asOwner(connection, async client => {
    const read: object[][] = [];
    for (const organization of organizations) {
      const [system, scan] = [randomUUID(), randomUUID()];
      await addSystem(client, organization, system);
      await client.query(`select set_config('parapet.organization_id', $1, false)`, [organization]);
      await client.query(
        `insert into sources (system_id, name, kind, host, connection_mode)
          select $1, 'S' || n, 'website', 's.example', 'direct' from generate_series(1, 2) n`,
        [system],
      );
      await client.query(
        `insert into scans (id, profile, system_id, idempotency_key) values ($1, 'safe_all_surfaces', $2, 'a scan')`,
        [scan, system],
      );
      await client.query(
        `insert into check_assessments (source_id, check_id, outcome, reason, scan_id, looked_at)
          select s.id, check_id, outcome, reason, $1, now() - days * interval '1 day'
          from sources s, (values ('tls.expired', 'observed', null, 0), ('csp.missing', 'passed', null, 1),
            ('tls.a', 'not_assessed', 'No answer.', 2)) as a (check_id, outcome, reason, days) where s.organization_id = $2`,
        [scan, organization],
      );
      const { rows } = await client.query(outcomes, [organization]);
      expect(rows).toHaveLength(6);
      read.push(rows);
    }
    return read;
  });
  await migrate(connection);
  await asOwner(connection, async client => {
    for (const [index, organization] of organizations.entries()) {
      await client.query(`select set_config('parapet.organization_id', $1, false)`, [organization]);
      expect((await client.query(outcomes, [organization])).rows).toEqual(before[index]);
      const counts = await client.query(
        `select check_id, state, count from check_counts where organization_id = $1 order by check_id`,
        [organization],
      );
      expect(counts.rows).toEqual([
        { check_id: 'csp.missing', state: 'passed', count: 2 },
        { check_id: 'tls.a', state: 'not_assessed', count: 2 },
        { check_id: 'tls.expired', state: 'observed', count: 2 },
      ]);
    }
  });
}
