import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Storage } from '../storage/storage.ts';

/** What the tasks work with. Put together in main. */
export interface WorkerServices {
  readonly storage: Pick<Storage, 'tenant' | 'vault' | 'jobs' | 'sweep' | 'system' | 'isOperators'>;
  /** Where targets are connected to, and what they send is read. */
  readonly sandbox: Pick<Sandbox, 'run'>;
  /** Whether this service may connect to databases itself. */
  readonly privilegedConnections: boolean;
  readonly log: (event: string, fields: object) => void;
}
