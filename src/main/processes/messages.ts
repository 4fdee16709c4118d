import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Networks } from '../../domain/client-network.ts';
import type { RefusedBy } from '../../http/connection-counts.ts';

/** Metrics of one process, as `prom-client` merges them. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** A connection, by a number of its process. Trusted proxies have no networks. */
export interface Opened {
  readonly id: number;
  readonly networks?: Networks;
}

/** A command of the supervisor to a process. `unready`: report that, and serve. `drain`: end when its connections have ended. `stop`: end now, as for SIGTERM. */
export type Command =
  | { readonly kind: 'unready' | 'drain' | 'stop' | 'metrics' }
  | { readonly kind: 'refuse'; readonly id: number; readonly limit: RefusedBy };

/** What a process reports to the supervisor. */
export type Report =
  | { readonly kind: 'ready'; readonly url?: string; readonly version: string }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string; readonly stack?: string }
  | { readonly kind: 'metrics'; readonly metrics: Snapshot }
  | { readonly kind: 'connections'; readonly opened: readonly Opened[]; readonly closed: readonly number[] };
