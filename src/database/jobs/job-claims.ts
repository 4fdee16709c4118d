import type { Job, PgBoss } from 'pg-boss';
import type { Places } from './places.ts';

interface ClaimOptions<Data> {
  readonly boss: PgBoss;
  readonly queue: string;
  readonly places: Places;
  readonly work: (data: Data, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Called with the reason when an attempt of a job failed. Other workers may try it again. */
  readonly onFailed?: (error: unknown, data: Data) => void;
}

/** How often an idle queue is read: notifications may be lost, and retries become due without one. */
const pollMs = 2_000;

/** A job's heartbeat is refreshed this often; its queue's `heartbeatSeconds` are ten. */
const heartbeatMs = 5_000;

/** Jobs per statement. */
const mostAtOnce = 16;

interface Running<Data> {
  readonly job: Job<Data>;
  readonly isShared: boolean;
  readonly claim: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Claims the jobs of one queue, as many at a time as there are free places, and completes those that ended meanwhile together: with a
 * statement for each, the queue takes as long as the rest of planning.
 */
export class JobClaims<Data extends object> {
  readonly #options: ClaimOptions<Data>;
  readonly #running = new Set<Running<Data>>();
  #done: Job<Data>[] = [];
  #claiming = Promise.resolve();
  #isClaiming = false;
  #again = false;
  /** The groups of all waiting jobs, as far as is known; undefined if there may be others. */
  #waitingOnly: readonly string[] | undefined;
  #hasNews = false;
  #completing = Promise.resolve();
  #isCompleting = false;
  readonly #timers: NodeJS.Timeout[];
  #stopped = false;

  constructor(options: ClaimOptions<Data>) {
    this.#options = options;
    this.#timers = [
      setInterval(() => this.claim(), pollMs),
      setInterval(() => void this.#beat(), heartbeatMs),
    ];
    this.claim();
  }

  /** Running jobs. */
  get running(): number {
    return this.#running.size;
  }

  /** Claims jobs for all free places now: there may be new ones, or more places. */
  claim(): void {
    this.#hasNews = true;
    this.#waitingOnly = undefined;
    this.#claimAgain();
  }

  #claimAgain(): void {
    this.#again = true;
    if (!this.#isClaiming) this.#claiming = this.#claimAll();
  }

  /** Gives running jobs this many milliseconds to end, then fails the rest, which other workers retry. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timers[0]);
    await this.#claiming;
    const all = Promise.all([...this.#running].map(({ ended }) => ended));
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([all, new Promise<void>(resolve => (timer = setTimeout(resolve, graceMs)))]);
    clearTimeout(timer);
    clearInterval(this.#timers[1]);
    const left = [...this.#running].map(({ job }) => job);
    if (left.length > 0)
      await this.#options.boss
        .fail(this.#options.queue, left, new Error('the worker stopped'))
        .catch(this.#options.onError);
    for (const { claim } of this.#running) claim.abort(new Error('the worker stopped'));
    await this.#complete();
  }

  async #claimAll(): Promise<void> {
    this.#isClaiming = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const { batchSize, ignoreGroups, isShared } = this.#room();
      // Each end of a job would otherwise read a queue that has nothing for its place.
      if (batchSize <= 0 || this.#waitingOnly?.every(group => ignoreGroups.includes(group))) break;
      this.#hasNews = false;
      try {
        const jobs = await this.#options.boss.fetch<Data>(this.#options.queue, { batchSize, ignoreGroups });
        for (const job of jobs) this.#start(job, isShared);
        if (jobs.length === batchSize) this.#again = true;
        else if (!this.#hasNews) this.#waitingOnly = ignoreGroups;
      } catch (error) {
        this.#options.onError(error);
      }
    }
    // Not when the promise settles: a claim before that would be lost.
    this.#isClaiming = false;
  }

  /** The next batch. Beyond the shared places, no organization gets more than its limit, even if the whole batch is of one. */
  #room(): { batchSize: number; ignoreGroups: string[]; isShared: boolean } {
    const { kept = { places: 0, perOrganization: 0 }, shared: given } = this.#options.places;
    const shared = typeof given === 'number' ? given : given();
    const taken = [...this.#running].filter(running => running.isShared).length;
    if (taken < shared)
      return { batchSize: Math.min(shared - taken, mostAtOnce), ignoreGroups: [], isShared: true };
    const free = kept.places - (this.#running.size - taken);
    const held = this.#heldByGroup();
    const ignoreGroups = [...held].flatMap(([group, jobs]) => (jobs >= kept.perOrganization ? [group] : []));
    const most = Math.max(0, ...[...held.values()].filter(jobs => jobs < kept.perOrganization));
    const batchSize = Math.min(free, kept.perOrganization - most, mostAtOnce);
    return { batchSize, ignoreGroups, isShared: false };
  }

  /** Kept places by organization. */
  #heldByGroup(): Map<string, number> {
    const held = new Map<string, number>();
    for (const { isShared, job } of this.#running) {
      if (!isShared && job.groupId) held.set(job.groupId, (held.get(job.groupId) ?? 0) + 1);
    }
    return held;
  }

  /** @param isShared as when the job was requested: the number of places may have changed since */
  #start(job: Job<Data>, isShared: boolean): void {
    const claim = new AbortController();
    const running: Running<Data> = {
      job,
      isShared,
      claim,
      ended: this.#run(job, claim, () => this.#running.delete(running)),
    };
    this.#running.add(running);
  }

  async #run(job: Job<Data>, claim: AbortController, leave: () => void): Promise<void> {
    const { boss, queue, work, onError, onFailed } = this.#options;
    const tooLong = setTimeout(
      () => claim.abort(new Error(`the job took longer than ${job.expireInSeconds} s`)),
      job.expireInSeconds * 1_000,
    );
    let failed: { readonly error: unknown } | undefined;
    try {
      await work(job.data, claim.signal);
    } catch (error) {
      failed = { error };
    }
    clearTimeout(tooLong);
    leave();
    if (!this.#stopped) this.#claimAgain();
    // pg-boss ignores both if another worker has claimed the job meanwhile.
    if (failed) {
      // A worker that stops has reported it as such.
      if (!this.#stopped) onFailed?.(failed.error, job.data);
      await boss.fail(queue, job, failed.error as object).catch(onError);
    } else {
      this.#done.push(job);
      await this.#complete();
    }
  }

  /** Completes what ended, and what ends meanwhile. */
  #complete(): Promise<void> {
    if (!this.#isCompleting) this.#completing = this.#completeAll();
    return this.#completing;
  }

  async #completeAll(): Promise<void> {
    this.#isCompleting = true;
    while (this.#done.length > 0) {
      const jobs = this.#done;
      this.#done = [];
      await this.#options.boss.complete(this.#options.queue, jobs).catch(this.#options.onError);
    }
    // Not when the promise settles: a job that ends before that would not be completed.
    this.#isCompleting = false;
  }

  /** Aborts jobs that another worker has claimed meanwhile. */
  async #beat(): Promise<void> {
    const held = [...this.#running].filter(({ claim }) => !claim.signal.aborted);
    if (held.length === 0) return;
    try {
      if ((await this.#touch(held)) === held.length) return;
      for (const running of held) {
        const { claim } = running;
        if ((await this.#touch([running])) === 0)
          claim.abort(new Error('the job is no longer claimed by this worker'));
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Refreshes heartbeats. @returns how many of the jobs are still claimed by this worker */
  async #touch(running: readonly Running<Data>[]): Promise<number> {
    const jobs = running.map(({ job }) => job);
    // The types of pg-boss leave out what its documentation lists.
    const { affected } = (await this.#options.boss.touch(this.#options.queue, jobs)) as { affected: number };
    return affected;
  }
}
