import type { Statement } from '../connection.ts';
import { jobSchema } from './queues.ts';

/** Jobs of one queue that have not ended. */
export interface JobCount {
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
  /** Seconds since the oldest waiting job was sent; 0 without one. */
  readonly oldestSeconds: number;
}

/** Only unfinished jobs are read, by an index that contains no others. A statement for monitoring must not take long. */
export const jobCounts: Statement<JobCount> = {
  text: `select q.name as queue, w.waiting, r.running, w.oldest as "oldestSeconds"
    from ${jobSchema}.queue q
    cross join lateral (select count(*)::int as waiting,
        coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as oldest
      from ${jobSchema}.job j where j.name = q.name and j.state < 'active') as w
    cross join lateral (select count(*)::int as running from ${jobSchema}.job j
      where j.name = q.name and j.state = 'active') as r
    order by q.name`,
  query_timeout: 2_000,
};
