import prometheus from 'prom-client';
import type { Metrics, MetricsText } from '../../http/metrics.ts';
import type { Child } from './child.ts';
import type { Snapshot } from './messages.ts';

/** Types of metrics that only grow, and must not shrink when a process ends: that would look like a restart of all. */
const growing = new Set<unknown>(['counter', 'histogram']);

/** The metrics of the supervisor and all of its processes, added up, as of one process. */
export class MergedMetrics implements MetricsText {
  readonly #own: Metrics;
  readonly #children: () => readonly Child[];
  #ended: Snapshot[] = [];

  constructor(own: Metrics, children: () => readonly Child[]) {
    this.#own = own;
    this.#children = children;
  }

  get contentType(): string {
    return this.#own.contentType;
  }

  /** Keeps what a process counted that has ended. */
  keep(snapshot: Snapshot): void {
    this.#ended.push(snapshot.filter(({ type }) => growing.has(type)));
  }

  async text(): Promise<string> {
    if (this.#ended.length > 1) await this.#settle();
    const [own] = await Promise.all([
      this.#own.snapshot(),
      ...this.#children().map(child => child.refresh()),
    ]);
    // A process that ended meanwhile is no longer among the children, and must not count twice.
    const all = [own, ...this.#children().map(({ metrics }) => metrics), ...this.#ended];
    return merge(all).metrics();
  }

  /** One snapshot instead of those of all processes that have ended. */
  async #settle(): Promise<void> {
    const ended = this.#ended;
    const merged = await merge(ended).getMetricsAsJSON();
    this.#ended = [merged, ...this.#ended.filter(snapshot => !ended.includes(snapshot))];
  }
}

/** How metrics of several processes become one, if not as the library does, which averages the lag of a blocked process away. */
const aggregators: Readonly<Record<string, string>> = {
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  // The limit of each, and the start of the first: the supervisor.
  process_max_fds: 'min',
  process_start_time_seconds: 'min',
};

function merge(snapshots: readonly Snapshot[]): prometheus.Registry {
  const given = snapshots.map(snapshot =>
    snapshot.map(metric => {
      const aggregator = aggregators[metric.name];
      return aggregator === undefined ? metric : { ...metric, aggregator };
    }),
  );
  return prometheus.AggregatorRegistry.aggregate(given as object[]);
}
