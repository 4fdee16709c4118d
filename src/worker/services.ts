import type { Storage } from '../resources/storage.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** What the tasks work with. Put together in main. */
export interface WorkerServices {
  readonly storage: Pick<Storage, 'tenant' | 'vault' | 'jobs' | 'sweep' | 'system'>;
  /** Whether the operator's allow-list has the host of a source: such hosts may be inspected by any number of scans at once. */
  readonly isAllowlistedHost: (host: string) => boolean;
  /** Where targets are connected to, and what they send is read. */
  readonly sandbox: Pick<Sandbox, 'run'>;
  /** Whether this service may connect to databases itself. */
  readonly privilegedConnections: boolean;
  readonly log: (event: string, fields: object) => void;
}
