import { diskRoom } from './disk-room.ts';
import { keptFor } from './kept-for.ts';

/** Why a node should get no requests, most general first; docs/configuration.md explains each. */
export const readinessStatuses = [
  'ready',
  'draining',
  'no process answers requests',
  'database unavailable',
  'release too old for the database',
  'database connections exhausted',
  'disk full',
  'disk not writable',
] as const;

export type ReadinessStatus = (typeof readinessStatuses)[number];

interface ReadinessOptions {
  readonly system: {
    /** Rejects if the database does not respond. */
    ping(): Promise<void>;
    /** Whether a newer release has migrated the database in a way with which this one cannot run. */
    isTooNew(): Promise<boolean>;
  };
  /** How long the longest call of each purpose has waited for a connection, in seconds. */
  readonly pools: () => readonly { readonly longestWaitSeconds: number }[];
  /** The folder with the private PostgreSQL; undefined if the database is elsewhere. */
  readonly dataFolder?: string | undefined;
  /** Whether a process of this node answers requests. */
  readonly hasProcess?: () => boolean;
}

/** Seconds after which a wait for a connection shows that none will be free soon: it fails after ten. */
const stuckSeconds = 5;

/** Milliseconds for which slower checks are kept. */
const keptMs = 5_000;

/** Whether this node should get requests. It answers those that it gets in any case. */
export class Readiness {
  readonly #options: ReadinessOptions;
  readonly #isOutdated: () => Promise<boolean>;
  readonly #disk: () => ReturnType<typeof diskRoom>;
  #isDraining = false;

  constructor(options: ReadinessOptions) {
    this.#options = options;
    const { dataFolder } = options;
    this.#isOutdated = keptFor(keptMs, () => options.system.isTooNew());
    this.#disk = keptFor(keptMs, async () => (dataFolder === undefined ? undefined : diskRoom(dataFolder)));
  }

  /** From now on, load balancers should send requests to other nodes. */
  drain(): void {
    this.#isDraining = true;
  }

  readonly status = async (): Promise<ReadinessStatus> => {
    const { system, pools, hasProcess = () => true } = this.#options;
    if (this.#isDraining) return 'draining';
    if (!hasProcess()) return 'no process answers requests';
    try {
      await system.ping();
      if (await this.#isOutdated()) return 'release too old for the database';
    } catch {
      return 'database unavailable';
    }
    if (pools().some(({ longestWaitSeconds }) => longestWaitSeconds > stuckSeconds))
      return 'database connections exhausted';
    return (await this.#disk()) ?? 'ready';
  };
}
