/** Database connections of one process, by purpose. */
export interface PoolSizes {
  /** Tenant-bound work. */
  readonly app: number;
  /** Lists of the signed API, of all organizations. */
  readonly lists: number;
  readonly system: number;
  readonly signingIn: number;
  readonly signedIn: number;
  /** Keys, sessions, roles and unauthenticated queries. */
  readonly lookups: number;
  readonly jobs: number;
}

/** Also connections: each stays one, since its statements run one after another. */
const guardAndEvents = 2;

/** Of a worker, which listens for new jobs. */
const bell = 1;

/** Of a node with one process. */
const alone: PoolSizes = { app: 10, lists: 2, system: 2, signingIn: 4, signedIn: 6, lookups: 5, jobs: 2 };

/** Of one of several processes, which share the connections that PostgreSQL permits. */
const shared: PoolSizes = { app: 4, lists: 1, system: 1, signingIn: 3, signedIn: 2, lookups: 3, jobs: 1 };

/** @param processes that share the port */
export function poolSizes(processes: number, works: boolean): PoolSizes {
  if (processes === 1) return works ? { ...alone, jobs: 6 } : alone;
  return works ? { ...shared, app: 5, system: 2, jobs: 5 } : shared;
}

/** Connections that a node with several processes may use at once, while one of them is being replaced. */
export function connectionsOfNode(processes: number, { worker }: { readonly worker: boolean }): number {
  const { app, lists, system, signingIn, signedIn, lookups } = shared;
  const api = app + lists + system + signingIn + signedIn + lookups + guardAndEvents;
  const ofWorker = poolSizes(processes, true);
  // A worker uses the pools of people one statement at a time.
  const works = worker ? ofWorker.app + ofWorker.lists + ofWorker.system + ofWorker.jobs + bell + 1 : 0;
  const supervisor = system + shared.jobs;
  return (processes + 1) * api + works + supervisor;
}
