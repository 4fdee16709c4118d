import { cpus } from 'node:os';

/** How often it changes, in milliseconds: the sandbox measures its processes about as often. */
export const paceEveryMs = 250;

interface PaceOptions {
  readonly least: number;
  readonly most: number;
}

/**
 * How many inspections run at a time. Those that wait for their targets take memory only, so there may be many; those that compute make
 * each other slower until they reach their time limits. The number therefore doubles while CPUs are idle, and decreases while inspections wait
 * for one.
 */
export class Pace {
  readonly #options: PaceOptions;
  #limit: number;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#limit = options.least;
  }

  get limit(): number {
    return this.#limit;
  }

  /**
   * @param demand of all inspections: CPU time that they used or waited for, as a share of what the CPUs have; or of the whole machine,
   *   if that is more: targets may be on the same one
   *
   * @param running inspections
   */
  adjust(demand: number, running: number): void {
    const { least, most } = this.#options;
    const wanted = demand > 0.9 ? Math.floor(this.#limit * 0.75) : demand < 0.6 ? 2 * running : this.#limit;
    this.#limit = Math.min(most, Math.max(least, wanted));
  }
}

/** Measures the share of the machine's CPU time that was used since the last call. */
export class MachineLoad {
  readonly #times: typeof timesOfCpus;
  #before: ReturnType<typeof timesOfCpus>;

  constructor(times = timesOfCpus) {
    this.#times = times;
    this.#before = times();
  }

  measure(): number {
    const now = this.#times();
    const total = now.total - this.#before.total;
    const idle = now.idle - this.#before.idle;
    this.#before = now;
    return total > 0 ? 1 - idle / total : 0;
  }
}

function timesOfCpus(): { idle: number; total: number } {
  const all = cpus().flatMap(({ times }) => times);
  return {
    idle: all.reduce((sum, { idle }) => sum + idle, 0),
    total: all.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  };
}
