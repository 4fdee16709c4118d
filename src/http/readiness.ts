import { diskRoom } from './disk-room.ts';
import { keptFor } from './kept-for.ts';

/** Why a node should get no requests, most general first; docs/operations.md explains each. */
export const readinessStatuses = [
  'ready',
  'draining',
  'no process answers requests',
  'database unavailable',
  'database migrated by another release',
  'database connections exhausted',
  'disk full',
  'disk not writable',
] as const;

export type ReadinessStatus = (typeof readinessStatuses)[number];

interface ReadinessOptions {
  readonly system: {
    /** Rejects if the database does not respond. */
    ping(): Promise<void>;
    newestMigration(): Promise<string>;
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
  readonly #fits: () => Promise<boolean>;
  readonly #disk: () => ReturnType<typeof diskRoom>;
  #migration: string | undefined;
  #isDraining = false;

  constructor(options: ReadinessOptions) {
    this.#options = options;
    const { dataFolder } = options;
    this.#fits = keptFor(keptMs, async () => {
      const newest = await options.system.newestMigration();
      // This program has migrated the database, or refused to start.
      this.#migration ??= newest;
      return newest === this.#migration;
    });
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
      if (!(await this.#fits())) return 'database migrated by another release';
    } catch {
      return 'database unavailable';
    }
    if (pools().some(({ longestWaitSeconds }) => longestWaitSeconds > stuckSeconds))
      return 'database connections exhausted';
    return (await this.#disk()) ?? 'ready';
  };
}
