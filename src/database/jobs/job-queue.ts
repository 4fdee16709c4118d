import type pg from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import { answerMs, type ConnectionSettings, sessionOptions } from '../connection.ts';
import { type Jobs, jobSchema, type QueueName } from './queues.ts';

/** `signal` aborts when the worker stops or loses the job to another worker. */
export type JobHandler<Name extends QueueName> = (job: Jobs[Name], signal: AbortSignal) => Promise<void>;

/** Concurrent jobs of one queue in one process. */
export interface Places {
  /** For any organization: one with slow jobs may use all of them. */
  readonly shared: number;
  /** Further places with a limit for each organization, so that slow jobs of one cannot use all of them. */
  readonly kept?: { readonly places: number; readonly perOrganization: number };
}

interface JobQueueOptions {
  readonly connection: ConnectionSettings;
  /** Whether this process runs jobs or only sends them. */
  readonly works: boolean;
  readonly connections: number;
  readonly onError: (error: unknown) => void;
}

/** The job queue of all organizations, on pg-boss. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #works: boolean;
  #stopping: Promise<void> | undefined;

  constructor(options: JobQueueOptions) {
    this.#works = options.works;
    this.#boss = new PgBoss({
      ...({ ...sessionOptions(options.connection, 'parapet-jobs'), query_timeout: answerMs } as object),
      schema: jobSchema,
      max: options.connections,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: options.works,
      // The jobs of a dead worker are detected within heartbeat + monitor interval.
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      maintenanceIntervalSeconds: 300,
      // Rebuilding an index requires its owner, and the worker's role is not.
      reindex: false,
      monitorVacuum: false,
      useListenNotify: options.works,
    });
    this.#boss.on('error', options.onError);
  }

  async start(): Promise<void> {
    await this.#boss.start();
  }

  /** Sends within the transaction of `client`, which must be bound to the organization of the jobs. */
  async send<Name extends QueueName>(queue: Name, jobs: readonly Jobs[Name][], client: pg.ClientBase) {
    await client.query('select send_jobs($1, $2)', [queue, JSON.stringify(jobs)]);
  }

  /** Runs a queue's jobs, round-robin by organization. */
  async work<Name extends QueueName>(queue: Name, { shared, kept }: Places, handler: JobHandler<Name>) {
    const intervals = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 };
    const work = async (jobs: Job<Jobs[Name]>[]) => {
      for (const job of jobs) await handler(job.data, job.signal);
      this.#goOn(queue);
    };
    if (shared > 0)
      await this.#boss.work<Jobs[Name]>(queue, { ...intervals, localConcurrency: shared }, work);
    if (!kept) return;
    // pg-boss applies the limit per organization only across the loops with this option, so shared places do not count.
    const { places: localConcurrency, perOrganization: localGroupConcurrency } = kept;
    await this.#boss.work<Jobs[Name]>(queue, { ...intervals, localConcurrency, localGroupConcurrency }, work);
  }

  /**
   * After one job there may be more, and waiting for the next poll would limit a loop to one every two seconds. pg-boss
   * does not say which loop finished, so all busy loops are notified; idle loops would find nothing.
   */
  #goOn(queue: QueueName): void {
    for (const { id, name, count } of this.#boss.getWipData()) {
      if (name === queue && count > 0) this.#boss.notifyWorker(id);
    }
  }

  /** Gives running jobs this many seconds to finish; other workers retry the rest. */
  stop(graceSeconds: number): Promise<void> {
    this.#stopping ??= this.#boss.stop({ graceful: this.#works, timeout: graceSeconds * 1000, close: true });
    return this.#stopping;
  }
}
