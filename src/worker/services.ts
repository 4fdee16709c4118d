import type { CollectionOptions } from '../scan/collect-evidence.ts';
import type { Storage } from '../storage/storage.ts';

/** What the tasks work with. Put together in main. */
export interface WorkerServices {
  readonly storage: Pick<Storage, 'tenant' | 'vault' | 'jobs' | 'sweep'>;
  /** How targets are reached. */
  readonly scanning: Omit<CollectionOptions, 'signal'>;
  readonly log: (event: string, fields: object) => void;
}
