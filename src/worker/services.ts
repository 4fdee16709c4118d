import type { CollectionOptions } from '../scan/collect-evidence.ts';
import type { Storage } from '../storage/storage.ts';

/** What the tasks work with. Put together in main. */
export interface WorkerServices {
  readonly storage: Pick<Storage, 'tenant' | 'vault' | 'jobs' | 'sweep' | 'system'>;
  /** How targets are reached. */
  readonly scanning: Omit<CollectionOptions, 'signal'>;
  /** Whether this service may connect to databases itself. */
  readonly privilegedConnections: boolean;
  readonly log: (event: string, fields: object) => void;
}
