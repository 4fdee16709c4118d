import pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Roles } from '../roles.ts';
import { installSending } from './install-sending.ts';
import { jobSchema, queues } from './queues.ts';

/**
 * Installs or upgrades pg-boss as the owner, creates the queues, and grants the roles the privileges they need. All of it belongs to the
 * transaction of the migration.
 */
export async function installJobs(owner: pg.ClientBase, roles: Roles): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => owner.query(withinTransaction(text), values as unknown[]) },
    schema: jobSchema,
    supervise: false,
    schedule: false,
    migrate: true,
  });
  // What fails rejects a call. Without a listener, an error of other work, such as reading the queues each minute, would end the process.
  boss.on('error', () => {});
  try {
    await boss.start();
    const existing = new Set((await boss.getQueues()).map(queue => queue.name));
    for (const { name, ...options } of queues) {
      if (existing.has(name)) await boss.updateQueue(name, options);
      else await boss.createQueue(name, options);
    }
    await installSending(owner, boss, roles);
  } finally {
    await boss.stop({ graceful: false });
  }
  await grantJobs(owner, roles);
}

/** Without the `begin` and `commit` that pg-boss puts around its plans. */
function withinTransaction(plan: string): string {
  return plan.replace(/^\s*BEGIN;([\s\S]*)COMMIT;\s*$/, '$1');
}

/** A worker reads all tables of pg-boss, and writes some. */
async function grantJobs(owner: pg.ClientBase, { app, system }: Roles): Promise<void> {
  const worker = pg.escapeIdentifier(system.user);
  const both = `${pg.escapeIdentifier(app.user)}, ${worker}`;
  await owner.query(`
    revoke all on all tables in schema ${jobSchema} from ${both};
    revoke all on all sequences in schema ${jobSchema} from ${both};
    revoke all on all functions in schema ${jobSchema} from public, ${both};
    grant usage on schema ${jobSchema} to ${worker};
    grant select on all tables in schema ${jobSchema} to ${worker};
    grant execute on all functions in schema ${jobSchema} to ${worker};
    grant insert, update, delete on ${jobSchema}.job, ${jobSchema}.job_common, ${jobSchema}.job_dependency to ${worker};
    grant update on ${jobSchema}.queue, ${jobSchema}.version, ${jobSchema}.bam to ${worker};
    grant insert, delete on ${jobSchema}.warning to ${worker};
  `);
}
