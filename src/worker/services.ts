import type { Tracer } from '../domain/tracing.ts';
import type { Storage } from '../resources/storage.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** The dependencies of the tasks, assembled in main. */
export interface WorkerServices {
  readonly storage: Pick<Storage, 'tenant' | 'vault' | 'jobs' | 'sweep' | 'system'>;
  /**
   * Whether the operator's allowlist contains the host of a source: such hosts have no limit on concurrent
   * scans.
   */
  readonly isAllowlistedHost: (host: string) => boolean;
  /** Connects to targets and parses what they send. */
  readonly sandbox: Pick<Sandbox, 'run' | 'demand' | 'waiting'>;
  /** Whether this service may connect to databases directly. */
  readonly privilegedConnections: boolean;
  readonly log: (event: string, fields: object) => void;
  /** Measures jobs and runs, if the operator collects traces. */
  readonly tracer?: Tracer | undefined;
}
