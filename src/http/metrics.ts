import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

/** The text of metrics for Prometheus. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Metrics in Prometheus format, without data of organizations. */
export class Metrics implements MetricsText {
  readonly #registry = new Registry();
  readonly requests = new Counter({
    name: 'parapet_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.#registry],
  });
  readonly durations = new Histogram({
    name: 'parapet_http_request_seconds',
    help: 'Response time in seconds, by route.',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.#registry],
  });
  readonly refusals = new Counter({
    name: 'parapet_http_refusals_total',
    help: 'Requests refused, by status and reason.',
    labelNames: ['status', 'reason'],
    registers: [this.#registry],
  });
  readonly connections = new Gauge({
    name: 'parapet_http_connections',
    help: 'Open connections to the public port.',
    registers: [this.#registry],
  });
  readonly refusedConnections = new Counter({
    name: 'parapet_http_connections_refused_total',
    help: 'Connections refused because of the limit in total, per address or per site.',
    labelNames: ['limit'],
    registers: [this.#registry],
  });
  readonly cutConnections = new Counter({
    name: 'parapet_http_connections_cut_total',
    help: 'Connections closed because the client read or sent too slowly.',
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** For `AggregatorRegistry.aggregate` in another process. */
  snapshot(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    return this.#registry.getMetricsAsJSON();
  }
}
