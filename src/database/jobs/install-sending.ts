import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Roles } from '../roles.ts';
import { jobChannel } from './job-bell.ts';
import { jobSchema, queues } from './queues.ts';

/**
 * Limit per organization and queue. Requests are refused long before; only jobs of canceled scans, which
 * remain in the queue, can add up to it.
 */
const mostUnfinished = 20_000;

/**
 * Places between two jobs of one organization, and so how often an organization that sends one job at a time
 * is served between them.
 */
const stride = 4;

/** Priorities have 32 bits. Jobs with the same place run in the order in which they were sent. */
const lastPlace = 2 ** 31 - 1;

/**
 * Creates `send_jobs(queue, data)`, which inserts a job for each element of an array as pg-boss would. It is
 * the app role's only access to jobs: the role cannot read or change them, and can send them only for the
 * organization of its transaction.
 *
 * Workers take the waiting job with the lowest place, stored as a negative priority (start-time fair queueing).
 * A new job is placed one stride behind the last unfinished job of its organization. An organization without
 * one joins right behind the active job with the highest place, which is before the next job of an
 * organization with many. Each job that is sent moves its organization back, so that sending a job whenever
 * another ends cannot pass the same waiting job again and again.
 *
 * The statement is taken from the installed version of pg-boss, so that the two cannot drift apart.
 */
export async function installSending(owner: pg.ClientBase, boss: PgBoss, { app }: Roles): Promise<void> {
  const branches: string[] = [];
  for (const { name } of queues) {
    const { text, job } = await statementOf(boss, name);
    branches.push(`when ${pg.escapeLiteral(name)} then
      select jsonb_agg(${pg.escapeLiteral(job)}::jsonb || jsonb_build_object('data', sent.job, 'groupId', organization,
          'priority', -least(place + ${stride} * (position - 1), ${lastPlace})))
        into jobs_to_send from jsonb_array_elements(send_jobs.data) with ordinality as sent(job, position);
      -- Not executed as text, which would be planned each time: that took longer than the rest.
      return query ${text.replaceAll('$1', 'jobs_to_send::text')};`);
  }
  const body = `
#variable_conflict use_column
declare
  jobs_to_send jsonb;
  organization uuid := nullif(current_setting('parapet.organization_id', true), '')::uuid;
  unfinished bigint;
  place bigint;
begin
  if organization is null or exists (select from jsonb_array_elements(send_jobs.data) as job
      where (job ->> 'organizationId')::uuid is distinct from organization) then
    raise exception 'a job belongs to the organization of its transaction' using errcode = 'insufficient_privilege';
  end if;
  -- Two parts, for the indexes that there are: of jobs that wait, and of active jobs by group.
  select count(*), max(-priority::bigint) into unfinished, place from (
    select priority from ${jobSchema}.job
      where name = queue and state < 'active' and not blocked and group_id = organization::text
    union all
    select priority from ${jobSchema}.job where name = queue and state = 'active' and group_id = organization::text
  ) as of_organization;
  if unfinished > ${mostUnfinished} then
    raise exception 'too many jobs of this organization wait' using errcode = 'program_limit_exceeded';
  end if;
  -- If nothing is active, as between two jobs of a single worker, the first waiting job marks the front of the line.
  place := greatest(place + ${stride}, coalesce(
    (select 1 + max(-priority::bigint) from ${jobSchema}.job where name = queue and state = 'active' and group_id is not null),
    (select 1 - priority::bigint from ${jobSchema}.job where name = queue and state < 'active' and not blocked
      order by priority desc limit 1),
    0));
  perform pg_notify('${jobChannel}', queue);
  case queue
    ${branches.join('\n    ')}
  end case;
end`;
  await owner.query(`
    -- pg-boss has no index for the first count above, which would read the jobs of all organizations. \`if not exists\` would lock
    -- the table on each start even if the index exists, while other nodes run jobs.
    do $$ begin
      if to_regclass('${jobSchema}.job_waiting_of_group') is null then
        create index job_waiting_of_group on ${jobSchema}.job (name, group_id) where state < 'active' and not blocked;
      end if;
    end $$;
    create or replace function public.send_jobs(queue text, data jsonb) returns setof uuid language plpgsql
      security definer set search_path = pg_catalog, pg_temp as ${pg.escapeLiteral(body)};
    revoke execute on function public.send_jobs from public;
    grant execute on function public.send_jobs to ${pg.escapeIdentifier(app.user)};
    revoke all on schema ${jobSchema} from public, ${pg.escapeIdentifier(app.user)};
  `);
}

/** The statement with which pg-boss inserts a job of the queue, and the job as JSON. */
async function statementOf(boss: PgBoss, queue: string): Promise<{ text: string; job: string }> {
  let statement: { text: string; values: unknown[] } | undefined;
  const executeSql = async (text: string, values: unknown[] = []) => {
    statement = { text, values };
    return { rows: [{ id: '' }] };
  };
  await boss.send(queue, {}, { db: { executeSql } });
  const [job] = JSON.parse(String(statement!.values[0])) as unknown[];
  return { text: statement!.text, job: JSON.stringify(job) };
}
