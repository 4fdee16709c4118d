import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionsOfAll } from './connections-of-all.ts';
import type { Command, Report, Snapshot } from './messages.ts';
import { environmentOf, type Part } from './part.ts';

/** Milliseconds to wait for the metrics of a busy process. Afterwards its previous ones count. */
const metricsMs = 2_000;

/** A process of the service, as the supervisor sees it. */
export class Child {
  readonly part: Part;
  /** How it ended: with a status, or by a signal. */
  readonly ended: Promise<string>;
  readonly #worker: Worker;
  readonly #connections: ConnectionsOfAll;
  #url: string | undefined;
  #version: string | undefined;
  #metrics: Snapshot = [];
  #onMetrics: (() => void)[] = [];

  private constructor(part: Part, worker: Worker, connections: ConnectionsOfAll) {
    this.part = part;
    this.#worker = worker;
    this.#connections = connections;
    this.ended = new Promise(resolve => {
      worker.once('exit', (status: number | null, signal: string | null) => {
        connections.forget(this);
        resolve(signal ?? `status ${status}`);
      });
      // A process that could not be started has no exit. The channel to one that ends breaks, which its exit reports.
      worker.on('error', ({ message }) => {
        if (worker.process.pid === undefined) resolve(message);
      });
    });
    worker.on('message', (report: Report) => this.#take(report));
  }

  /**
   * Starts a process. `child` is known at once, so that it can be ended while it starts; `ready` rejects with what the process reports,
   * an error with the same name, or after these milliseconds.
   */
  static start(
    part: Part,
    connections: ConnectionsOfAll,
    longestMs: number,
  ): { child: Child; ready: Promise<Child> } {
    const worker = cluster.fork(environmentOf(part));
    const child = new Child(part, worker, connections);
    const ready = new Promise<Child>((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error(`the process was not ready after ${longestMs / 1_000} s`));
        child.kill();
      }, longestMs);
      worker.on('message', (report: Report) => {
        if (report.kind === 'ready' || report.kind === 'failed') clearTimeout(late);
        if (report.kind === 'ready') resolve(child);
        if (report.kind === 'failed') reject(errorOf(report));
      });
      void child.ended.then(how => {
        clearTimeout(late);
        reject(new Error(`the process ended while it started (${how})`));
      });
    });
    return { child, ready };
  }

  get pid(): number {
    return this.#worker.process.pid!;
  }

  get url(): string | undefined {
    return this.#url;
  }

  /** That of its program; undefined until it is ready. */
  get version(): string | undefined {
    return this.#version;
  }

  /** As of the last `refresh`, or of its end. */
  get metrics(): Snapshot {
    return this.#metrics;
  }

  async refresh(): Promise<void> {
    const answered = new Promise<void>(resolve => this.#onMetrics.push(resolve));
    this.#tell({ kind: 'metrics' });
    const timeout = new AbortController();
    const late = pause(metricsMs, undefined, { signal: timeout.signal }).catch(() => {});
    await Promise.race([answered, this.ended, late]);
    timeout.abort();
  }

  /** Ends it once its connections have ended, or after these milliseconds. A worker ends as for `stop`. */
  async drain(longestMs: number): Promise<void> {
    this.#tell({ kind: 'drain' });
    const late = setTimeout(() => this.kill(), longestMs);
    await this.ended;
    clearTimeout(late);
  }

  /** Lets it report that load balancers should use other nodes. */
  unready(): void {
    this.#tell({ kind: 'unready' });
  }

  stop(): void {
    this.#tell({ kind: 'stop' });
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  #tell(command: Command): void {
    if (this.#worker.isConnected()) this.#worker.send(command, () => {});
  }

  #take(report: Report): void {
    if (report.kind === 'ready') {
      this.#url = report.url;
      this.#version = report.version;
    }
    if (report.kind === 'connections') {
      for (const command of this.#connections.count(this, report)) this.#tell(command);
    }
    if (report.kind !== 'metrics') return;
    this.#metrics = report.metrics;
    for (const resolve of this.#onMetrics.splice(0)) resolve();
  }
}

function errorOf({ name, message, stack }: Extract<Report, { kind: 'failed' }>): Error {
  return Object.assign(new Error(message), { name }, stack === undefined ? {} : { stack });
}
