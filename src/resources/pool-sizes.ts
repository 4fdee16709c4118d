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

/** What a process is part of. */
export interface NodeParts {
  /** Processes of the node that answer requests. */
  readonly processes: number;
  /** Connections that the node may use at once; undefined for as many as it uses by default. */
  readonly connections?: number | undefined;
}

/** Also connections: each stays one, since its statements run one after another. */
const guardAndEvents = 2;

/** Of a worker, which listens for new jobs. */
const bell = 1;

/** Of one of several processes, which share the connections that PostgreSQL permits. With fewer, calls would wait for each other. */
const least: PoolSizes = { app: 4, lists: 1, system: 1, signingIn: 3, signedIn: 2, lookups: 3, jobs: 1 };
const leastOfWorker: PoolSizes = { ...least, app: 5, system: 2, jobs: 5 };

/** Of a node with one process. */
const usual: PoolSizes = { app: 10, lists: 2, system: 2, signingIn: 4, signedIn: 6, lookups: 5, jobs: 2 };
const usualOfWorker: PoolSizes = { ...usual, jobs: 6 };

/** The fewest connections with which a node runs, with one process. */
export const leastConnections = sum(leastOfWorker) + guardAndEvents + bell;

/** @param works whether this process runs jobs */
export function poolSizes({ processes, connections }: NodeParts, works: boolean): PoolSizes {
  if (processes === 1) {
    const [from, to] = works ? [leastOfWorker, usualOfWorker] : [least, usual];
    return connections === undefined ? to : between(from, to, connections - guardAndEvents - bell);
  }
  if (works) return leastOfWorker;
  if (connections === undefined) return least;
  const ofOne = Math.floor((connections - ofWorker - ofSupervisor) / (processes + 1));
  // It sends jobs by other pools, and never opens that of jobs.
  return between(least, usual, ofOne - guardAndEvents + least.jobs);
}

/** A worker next to other processes uses the pools of people one statement at a time. */
const ofWorker =
  leastOfWorker.app + leastOfWorker.lists + leastOfWorker.system + leastOfWorker.jobs + bell + 1;

const ofSupervisor = least.system + least.jobs;

/** Connections that a node with several processes needs, while one of them is being replaced. */
export function connectionsOfProcesses(processes: number, { worker }: { readonly worker: boolean }): number {
  const ofOne = sum(least) - least.jobs + guardAndEvents;
  return (processes + 1) * ofOne + (worker ? ofWorker : 0) + ofSupervisor;
}

/** The most connections that a node uses at once. */
export function connectionsOfNode({ processes, connections }: NodeParts): number {
  if (connections !== undefined) return connections;
  if (processes === 1) return sum(usualOfWorker) + guardAndEvents + bell;
  return connectionsOfProcesses(processes, { worker: true });
}

/** Divides connections like `from` and `to` do, which is also how more than `to` are divided. What remains is the tenants'. */
function between(from: PoolSizes, to: PoolSizes, connections: number): PoolSizes {
  const share = (connections - sum(from)) / (sum(to) - sum(from));
  const sizes = Object.fromEntries(
    Object.entries(from).map(([pool, least]) => [
      pool,
      Math.floor(least + share * (to[pool as keyof PoolSizes] - least)),
    ]),
  ) as unknown as PoolSizes;
  return { ...sizes, app: sizes.app + connections - sum(sizes) };
}

function sum(sizes: PoolSizes): number {
  return Object.values(sizes).reduce((total, size) => total + size, 0);
}
