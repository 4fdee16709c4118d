import type { Logger } from 'pino';
import type { LogDestination } from './log-destination.ts';
import { untilStopped } from './until-stopped.ts';

/** Milliseconds for the last lines of the log. */
const longestLogMs = 2_000;

/** The process of `parapet serve`: its log, its signals and its end. */
export class Running {
  readonly logger: Logger;
  /** Resolves with the signal that stops it. */
  readonly stopped: Promise<NodeJS.Signals>;
  /** Ends what must not outlive this process. */
  beforeEnd = () => {};
  readonly #log: LogDestination;

  constructor(logger: Logger, log: LogDestination) {
    this.logger = logger;
    this.#log = log;
    this.stopped = untilStopped(() => this.beforeEnd());
  }

  /** For a private PostgreSQL that stopped unexpectedly. */
  readonly onLost = (cause: Error): void => {
    this.logger.fatal({ reason: cause.message }, 'database.lost');
    this.#fail();
  };

  async untilStopped(): Promise<void> {
    this.logger.info({ signal: await this.stopped }, 'stopping');
  }

  /** Fails if the stop takes longer. */
  stopWithin(milliseconds: number): void {
    setTimeout(() => {
      this.logger.error('stop.late');
      this.#fail();
    }, milliseconds).unref();
  }

  async end(): Promise<void> {
    this.logger.info('stopped');
    await this.finishLog();
  }

  async finishLog(): Promise<void> {
    // A pending write to a reader that stopped reading would keep the process alive.
    if (!(await this.#log.drained(longestLogMs))) process.kill(process.pid, 'SIGKILL');
  }

  #fail(): void {
    this.beforeEnd();
    void this.finishLog().then(() => process.exit(1));
  }
}
