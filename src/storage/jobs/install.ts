import pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Roles } from '../roles.ts';
import { jobSchema, queues } from './queues.ts';

/** Installs or upgrades pg-boss as the owner, makes the queues, and grants the roles what they need of them. */
export async function installJobs(owner: pg.ClientBase, roles: Roles): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => owner.query(text, values as unknown[]) },
    schema: jobSchema,
    supervise: false,
    schedule: false,
    migrate: true,
  });
  await boss.start();
  const existing = new Set((await boss.getQueues()).map(queue => queue.name));
  for (const { name, ...options } of queues) {
    if (existing.has(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
  }
  await boss.stop({ graceful: false });
  const [app, system] = [roles.app.user, roles.system.user].map(role => pg.escapeIdentifier(role));
  await owner.query(`
    grant usage on schema ${jobSchema} to ${app}, ${system};
    grant select, insert on all tables in schema ${jobSchema} to ${app};
    grant select, insert, update, delete on all tables in schema ${jobSchema} to ${system};
    grant usage on all sequences in schema ${jobSchema} to ${app}, ${system};
    grant execute on all functions in schema ${jobSchema} to ${app}, ${system};
  `);
}
