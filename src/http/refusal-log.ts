import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from './metrics.ts';

/** Lines of one reason: this many at once, and one a second. */
const burst = 30;
const everyMs = 1_000;
/** Milliseconds after the first line that was left out until their number is logged. */
const reportMs = 10_000;

/** Lines that may still be written. */
interface Allowance {
  left: number;
  since: number;
}

interface Refused {
  /** Of a fixed set: it is also a label of the metrics. */
  readonly reason: string;
  readonly status: number;
  /** Whether the request was authenticated. The limits of requests then limit the lines as well. */
  readonly isKnown: boolean;
  readonly fields: object;
}

/**
 * Logs why requests are refused, and counts all of them. Anyone can send requests that are refused: their lines are limited for each reason,
 * so that they neither fill a disk nor hide other reasons.
 */
export class RefusalLog {
  readonly #logger: Pick<FastifyBaseLogger, 'info'>;
  readonly #metrics: Pick<Metrics, 'refusals'>;
  readonly #allowances = new Map<string, Allowance>();
  readonly #suppressed = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(logger: Pick<FastifyBaseLogger, 'info'>, metrics: Pick<Metrics, 'refusals'>) {
    this.#logger = logger;
    this.#metrics = metrics;
  }

  /** @param logger of the request */
  refuse({ reason, status, isKnown, fields }: Refused, logger = this.#logger): void {
    this.#metrics.refusals.inc({ status, reason });
    if (isKnown || this.#allows(reason)) {
      logger.info({ status, reason, ...fields }, 'request.refused');
      return;
    }
    this.#suppressed.set(reason, (this.#suppressed.get(reason) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.report(), reportMs).unref();
  }

  /** Logs how many lines were left out. */
  report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#suppressed.size === 0) return;
    this.#logger.info({ reasons: Object.fromEntries(this.#suppressed) }, 'refusals.suppressed');
    this.#suppressed.clear();
  }

  #allows(reason: string): boolean {
    const now = performance.now();
    const { left, since } = this.#allowances.get(reason) ?? { left: burst, since: now };
    const refilled = Math.min(burst, left + (now - since) / everyMs);
    const allows = refilled >= 1;
    this.#allowances.set(reason, { left: allows ? refilled - 1 : refilled, since: now });
    return allows;
  }
}
