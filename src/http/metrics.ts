import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { version } from '../domain/version.ts';

/** The text of metrics for Prometheus. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** From a scan of one page to the limit of a full scan. */
const scanSeconds = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

/** Metrics in Prometheus format, without data of organizations. */
export class Metrics implements MetricsText {
  /** For metrics that are computed when they are read. */
  readonly registry = new Registry();
  readonly requests = new Counter({
    name: 'parapet_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  readonly durations = new Histogram({
    name: 'parapet_http_request_seconds',
    help: 'Response time in seconds, by route.',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });
  readonly refusals = new Counter({
    name: 'parapet_http_refusals_total',
    help: 'Requests refused, by status and reason.',
    labelNames: ['status', 'reason'],
    registers: [this.registry],
  });
  readonly decisions = new Counter({
    name: 'parapet_guard_decisions_total',
    help: 'Signed requests, by whether they were admitted or the reason why not.',
    labelNames: ['decision'],
    registers: [this.registry],
  });
  readonly events = new Counter({
    name: 'parapet_events_total',
    help: 'Events of probes and Shield, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers: [this.registry],
  });
  readonly scans = new Counter({
    name: 'parapet_scans_total',
    help: 'Scans that ended, by profile and status.',
    labelNames: ['profile', 'status'],
    registers: [this.registry],
  });
  readonly scanWaits = new Histogram({
    name: 'parapet_scan_wait_seconds',
    help: 'Time from the request of a scan to its start in seconds.',
    labelNames: ['profile'],
    buckets: scanSeconds,
    registers: [this.registry],
  });
  readonly scanDurations = new Histogram({
    name: 'parapet_scan_seconds',
    help: 'Time from the start of a scan to its end in seconds.',
    labelNames: ['profile'],
    buckets: scanSeconds,
    registers: [this.registry],
  });
  readonly runs = new Counter({
    name: 'parapet_scan_runs_total',
    help: 'Runs that ended, by detector and status.',
    labelNames: ['detector', 'status'],
    registers: [this.registry],
  });
  readonly runCauses = new Counter({
    name: 'parapet_scan_run_causes_total',
    help: 'Runs that failed, were skipped or left checks not assessed, by cause.',
    labelNames: ['cause'],
    registers: [this.registry],
  });
  readonly auditHeads = new Counter({
    name: 'parapet_audit_heads_total',
    help: 'Heads of audit logs that were logged as anchors, and turns that failed.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly jobFailures = new Counter({
    name: 'parapet_job_failures_total',
    help: 'Attempts of jobs that failed, by queue.',
    labelNames: ['queue'],
    registers: [this.registry],
  });
  readonly connections = new Gauge({
    name: 'parapet_http_connections',
    help: 'Open connections to the public port.',
    registers: [this.registry],
  });
  readonly refusedConnections = new Counter({
    name: 'parapet_http_connections_refused_total',
    help: 'Connections refused because of the limit in total, per address or per site.',
    labelNames: ['limit'],
    registers: [this.registry],
  });
  readonly cutConnections = new Counter({
    name: 'parapet_http_connections_cut_total',
    help: 'Connections closed because the client read or sent too slowly.',
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'parapet_build_info',
      help: '1, with the version of Parapet, the commit if its build names one, and the version of Node.js.',
      labelNames: ['version', 'commit', 'node'],
      aggregator: 'first',
      registers: [this.registry],
    }).set({ version, commit: commit(), node: process.version }, 1);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** For `AggregatorRegistry.aggregate` in another process. */
  snapshot(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    return this.registry.getMetricsAsJSON();
  }
}

/** The commit of this build, if its environment names one. */
function commit(): string {
  const { PARAPET_COMMIT: given = '' } = process.env;
  return /^[0-9a-f]{7,64}$/.test(given) ? given : '';
}
