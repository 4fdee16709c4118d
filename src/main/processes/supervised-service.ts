import type { Logger } from 'pino';
import { compareVersions } from '../../domain/compare-versions.ts';
import { version } from '../../domain/version.ts';
import { addInstallationMetrics, addPoolMetrics } from '../../http/database-metrics.ts';
import { Metrics } from '../../http/metrics.ts';
import { connectionsOfProcesses } from '../../resources/pool-sizes.ts';
import type { Storage } from '../../resources/storage.ts';
import { createAllowlist } from '../../surfaces/connection/target-allowlist.ts';
import type { Configuration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { logEvent } from '../log-event.ts';
import { logOutages } from '../log-outages.ts';
import { assertSafeNode } from '../node-release.ts';
import { type NotedNode, noteNode } from '../note-node.ts';
import { leasesOfNode, openStorage } from '../open-storage.ts';
import { readinessOf } from '../service.ts';
import { type Management, startManagement } from '../start-management.ts';
import type { Child } from './child.ts';
import { ConnectionsOfAll } from './connections-of-all.ts';
import { fittingProcesses } from './how-many.ts';
import { MergedMetrics } from './merged-metrics.ts';
import type { Part } from './part.ts';
import { Supervisor } from './supervise.ts';

export interface SupervisedService {
  readonly url: string | undefined;
  readonly managementUrl: string | undefined;
  readonly processes: number;
  readonly storage: Storage;
  /** See `Service`. */
  unready(): void;
  /** Replaces all processes, one after another, without a failed request. */
  restart(): Promise<void>;
  /** Lets requests and jobs finish for at most these milliseconds. */
  stop(longestMs: number): Promise<void>;
  /** Ends all processes at once. */
  kill(): void;
}

/**
 * Starts the service with several processes. This one opens the database, migrates it and serves the management port; it runs neither
 * the API nor jobs. Undefined if the database permits too few connections for two processes. Throws an error of `startService`.
 */
export async function startProcesses(
  configuration: Configuration,
  role: 'all' | 'api',
  wanted: number,
  logger: Logger,
  onLost: (cause: Error) => void,
): Promise<SupervisedService | undefined> {
  assertSafeNode(process.version);
  createAllowlist(configuration.targetAllowlist);
  const log = logEvent(logger);
  const { storage, migration, isPooled, close } = await openStorage(configuration, {
    works: false,
    needsKeys: true,
    processes: wanted,
    log,
    onLost,
    onOutage: logOutages(logger),
  });
  if (migration.applied.length > 0) log('migrated', { migrations: migration.applied });
  let management: Management | undefined;
  let supervisor: Supervisor | undefined;
  let node: NotedNode | undefined;
  const stop = async (longestMs: number) => {
    await supervisor?.stop(longestMs);
    management?.close();
    await node?.leave();
    await close(0);
  };
  try {
    // A pooler permits more connections than PostgreSQL, whose limit says nothing about it.
    const ofServer = isPooled ? Number.POSITIVE_INFINITY : await storage.system.permittedConnections();
    const processes = fitting(configuration, { ofServer, role, wanted, logger });
    if (processes < 2) {
      await stop(0);
      return undefined;
    }
    const children = () => supervisor?.children ?? [];
    const own = new Metrics();
    addPoolMetrics(own.registry, () => storage.pools);
    addInstallationMetrics(own.registry, storage.system);
    const metrics = new MergedMetrics(own, children);
    const started = new Supervisor(partsOf(role, processes), {
      connections: new ConnectionsOfAll({
        connections: configuration.maxConnections,
        connectionsPerAddress: configuration.maxConnectionsPerAddress,
      }),
      logger,
      onEnded: child => metrics.keep(child.metrics),
    });
    supervisor = started;
    const readiness = readinessOf(configuration, storage, () => started.isReady);
    management = await startManagement(configuration, metrics, readiness.status);
    await started.start();
    const { databaseConnections: connections } = configuration;
    const versionOf = () => oldestOf(children());
    node = await noteNode(storage.nodes, { role, processes, connections, isPooled, versionOf }, log);
    return {
      url: children().find(({ url }) => url !== undefined)?.url,
      managementUrl: management?.url,
      processes,
      storage,
      unready: () => {
        readiness.drain();
        for (const child of started.children) child.unready();
      },
      restart: () => started.restart(),
      stop,
      kill: () => started.kill(),
    };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

/** The oldest release that processes run: those of a newer one replace them after SIGHUP. */
function oldestOf(children: readonly Child[]): string {
  const versions = children.flatMap(child => child.version ?? []);
  return versions.sort(compareVersions)[0] ?? version;
}

function partsOf(role: 'all' | 'api', processes: number): Part[] {
  const api = Array.from({ length: processes }, (): Part => ({ role: 'api', processes }));
  return role === 'all' ? [...api, { role: 'worker', processes }] : api;
}

interface Wanted {
  /** Connections that PostgreSQL permits. */
  readonly ofServer: number;
  readonly role: 'all' | 'api';
  readonly wanted: number;
  readonly logger: Logger;
}

/** The processes for whose connections there is room. Throws a `ConfigurationError` if the operator wants more. */
function fitting(
  { databaseUrl, databaseConnections: ofNode = Number.POSITIVE_INFINITY, processes: chosen }: Configuration,
  { ofServer, role, wanted, logger }: Wanted,
): number {
  const worker = role === 'all';
  const leases = databaseUrl ? () => 0 : leasesOfNode;
  const withServer = fittingProcesses(wanted, ofServer, { worker, leases });
  const processes = fittingProcesses(withServer, ofNode, { worker, leases: () => 0 });
  if (processes === wanted) return processes;
  const isLimitedByServer = processes === withServer;
  const needed = connectionsOfProcesses(wanted, { worker }) + (isLimitedByServer ? leases(wanted) : 0);
  const most = isLimitedByServer ? ofServer : ofNode;
  if (chosen !== undefined) {
    const limit = isLimitedByServer
      ? `PostgreSQL permits ${most}: raise its max_connections`
      : `PARAPET_DATABASE_CONNECTIONS permits ${most}: raise it`;
    throw new ConfigurationError(
      `${wanted} processes need ${needed} database connections, and ${limit}, or set PARAPET_PROCESSES to ${Math.max(1, processes)}`,
    );
  }
  logger.warn({ wanted, processes: Math.max(1, processes), needed, permitted: most }, 'processes.limited');
  return processes;
}
