import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { hostNameOf } from '../domain/host-name.ts';
import type { App } from '../http/app.ts';
import type { CountedTogether } from '../http/connection-caps.ts';
import { addInstallationMetrics, addPoolMetrics, addReplicaMetrics } from '../http/database-metrics.ts';
import { drain } from '../http/http-server.ts';
import { Metrics } from '../http/metrics.ts';
import { Readiness } from '../http/readiness.ts';
import type { Mailer } from '../messages/mail/mail.ts';
import type { Storage } from '../resources/storage.ts';
import { tasksPerProcess } from '../sandbox/limits.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { createAllowlist } from '../surfaces/connection/target-allowlist.ts';
import { type HeadLog, logAuditHeads } from '../worker/log-audit-heads.ts';
import { inspectionPlaces, startWorker, type Worker } from '../worker/worker.ts';
import type { Configuration } from './configuration.ts';
import { listeningUrl } from './listening-url.ts';
import { logEvent } from './log-event.ts';
import { logOutages } from './log-outages.ts';
import { assertSafeNode } from './node-release.ts';
import { type NotedNode, noteNode } from './note-node.ts';
import { openStorage } from './open-storage.ts';
import { reportCommitted } from './report-committed.ts';
import { type Management, startManagement } from './start-management.ts';
import { startTracing } from './tracing.ts';
import { userAgentOf } from './user-agent.ts';

/** What this process runs: the API, the worker, or both. */
export type Role = 'all' | 'api' | 'worker';

export interface Service {
  /** Undefined for the worker role. */
  readonly url: string | undefined;
  /** Undefined when the management port is off. */
  readonly managementUrl: string | undefined;
  readonly metrics: Metrics;
  /** For operator actions in the same process. */
  readonly storage: Storage;
  /** Reports on `/readyz` that load balancers should use other nodes, and answers requests as before. */
  unready(): void;
  /** Accepts no more connections, and waits until all have ended by themselves (see `drain`). */
  drain(): Promise<void>;
  /** Waits up to `graceSeconds` for requests and jobs; unfinished jobs are retried by another worker. */
  stop(graceSeconds?: number): Promise<void>;
}

export interface ServiceHooks {
  /** Called when the private PostgreSQL stops unexpectedly: the process must exit, and its supervisor restarts it. */
  readonly onLost?: (cause: Error) => void;
  /** Processes that share the port and the limits of this node. Default 1. */
  readonly processes?: number;
  /** Counts the connections of all of them. */
  readonly together?: CountedTogether;
}

/** Connection tests at once: a person waits for each. Several processes share the memory of this machine. */
const testing = { processes: 5, perOrganization: 2, reserved: 3 };
const testingTogether = { processes: 2, perOrganization: 1 };

/**
 * Starts the service. Throws a `ConfigurationError` or `StorageError` that the operator can fix.
 */
export async function startService(
  configuration: Configuration,
  role: Role,
  logger: Logger,
  { onLost = () => {}, processes = 1, together }: ServiceHooks = {},
): Promise<Service> {
  assertSafeNode(process.version);
  const log = logEvent(logger);
  const { targetAllowlist: allowlist, privilegedConnections } = configuration;
  // Fail at start for an invalid allowlist.
  createAllowlist(allowlist);
  createAllowlist(configuration.webhookAllowlist);
  const { tracer, close: closeTracing } = await startTracing(process.env, log);
  const metrics = new Metrics();
  const { storage, migration, isPooled, close } = await openStorage(configuration, {
    works: role !== 'api',
    keepsConnections: true,
    usesReplica: role !== 'worker',
    needsKeys: true,
    // One of several processes must not change the database under the others: their supervisor does, before it starts any.
    ...(together ? { instead: 'restart the service instead of replacing its processes' } : {}),
    processes,
    log,
    onLost,
    onOutage: logOutages(logger),
    onCommitted: reportCommitted(logger, metrics),
    onJobFailure: queue => metrics.jobFailures.inc({ queue }),
  });
  addPoolMetrics(metrics.registry, () => storage.pools);
  const { replica } = storage;
  if (replica) addReplicaMetrics(metrics.registry, () => replica.status);
  // Of all nodes: one of several processes would count them again.
  if (!together) addInstallationMetrics(metrics.registry, storage.system);
  if (migration.applied.length > 0) log('migrated', { migrations: migration.applied });
  const userAgent = userAgentOf(configuration.publicUrl);
  const settings = { allowlist, userAgent };
  // Connection tests have their own processes, and scans run in the background next to an API: a user waits for both.
  const isBackground = role === 'all' || processes > 1;
  let scans: Sandbox | undefined;
  const tests = new Sandbox({ settings, log, ...(processes === 1 ? testing : testingTogether) });
  let server: App | undefined;
  let worker: Worker | undefined;
  const readiness = readinessOf(configuration, storage);
  let management: Management | undefined;
  let headLog: HeadLog | undefined;
  let mailer: Mailer | undefined;
  let node: NotedNode | undefined;
  const stop = async (graceSeconds = 10) => {
    worker?.stop();
    if (server) await closeServer(server, graceSeconds);
    management?.close();
    // Stop jobs first: the last anchors must cover their audit entries.
    await storage.jobs.stop(graceSeconds);
    mailer?.close();
    await headLog?.stop();
    await node?.leave();
    await close(graceSeconds);
    await Promise.all([scans?.close(), tests.close(), closeTracing().catch(() => {})]);
  };
  try {
    management = await startManagement(configuration, metrics, readiness.status);
    if (role !== 'worker') {
      // A worker does not load the server, to save memory.
      const { startServer } = await import('./start-server.ts');
      const parts = {
        storage,
        sandbox: tests,
        userAgent,
        logger,
        metrics,
        readiness,
        tracer,
        processes,
        together,
      };
      server = await startServer(configuration, parts);
    }
    if (role !== 'api') {
      const isAllowlistedHost = allowlistedHost(configuration.targetAllowlist);
      const { scanMemoryBytes: memoryBytes } = configuration;
      const inspections = inspectionPlaces(memoryBytes);
      const { processes } = inspections;
      scans = new Sandbox({ settings, log, processes, tasksPerProcess, memoryBytes, isBackground });
      // An API does not load the library, to save memory.
      const { smtpMailer } = await import('../messages/mail/smtp.ts');
      mailer = configuration.smtp && smtpMailer(configuration.smtp);
      const { webhookAllowlist } = configuration;
      const messages = { mailer, webhookAllowlist, dashboard: dashboardUrl(configuration) };
      const services = {
        ...{ storage, sandbox: scans, isAllowlistedHost, privilegedConnections },
        ...{ messages, log, tracer },
      };
      worker = await startWorker(services, inspections);
      const counted = (outcome: 'logged' | 'failed', count: number) =>
        metrics.auditHeads.inc({ outcome }, count);
      headLog = logAuditHeads(storage.system, log, counted);
    }
    // One of several processes is part of the node that its supervisor notes.
    if (!together) {
      const { databaseConnections: connections } = configuration;
      node = await noteNode(storage.nodes, { role, processes, connections, isPooled }, log);
    }
  } catch (error) {
    await stop(0);
    throw error;
  }
  const address = server?.server.address() as AddressInfo | undefined;
  return {
    url: address && listeningUrl(address),
    managementUrl: management?.url,
    metrics,
    storage,
    unready: () => readiness.drain(),
    drain: async () => void (server && (await drain(server.server))),
    stop,
  };
}

/** For links; null without a public URL. */
const dashboardUrl = ({ publicUrl }: Configuration) =>
  publicUrl === undefined ? null : `${publicUrl}/dashboard`;

/** Gives load balancers time to notice that this node stops, while it answers requests as before. */
export async function drainBeforeStop(
  service: Pick<Service, 'unready'>,
  { drainSeconds }: Pick<Configuration, 'drainSeconds'>,
  logger: Pick<Logger, 'info'>,
): Promise<void> {
  service.unready();
  if (drainSeconds === 0) return;
  logger.info({ seconds: drainSeconds }, 'draining');
  await pause(drainSeconds * 1_000);
}

/** @param hasProcess whether a process answers requests */
export function readinessOf(
  { databaseUrl, dataDirectory }: Configuration,
  storage: Storage,
  hasProcess?: () => boolean,
): Readiness {
  const { system } = storage;
  return new Readiness({
    system,
    pools: () => storage.pools,
    dataFolder: databaseUrl ? undefined : dataDirectory,
    ...(hasProcess ? { hasProcess } : {}),
  });
}

/** Waits up to `graceSeconds` for requests in flight, then closes their connections. */
async function closeServer(server: App, graceSeconds: number): Promise<void> {
  const cutOff = setTimeout(() => server.server.closeAllConnections(), graceSeconds * 1000);
  await server.close();
  clearTimeout(cutOff);
}

/** Only IP addresses can be allowlisted: what a name resolves to may change. */
function allowlistedHost(allowlist: readonly string[]): (host: string) => boolean {
  const isAllowlisted = createAllowlist(allowlist);
  return host => {
    const name = hostNameOf(host);
    return ipaddr.isValid(name) && isAllowlisted(name);
  };
}
