import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyContextConfig } from 'fastify';
import { pino } from 'pino';
import { inject } from 'vitest';
import { buildServer, type ServerOptions } from '../../src/api/server.ts';
import type { ApiServices } from '../../src/api/services.ts';
import type { KeyKind } from '../../src/contract/keys.ts';
import { addDashboard } from '../../src/dashboard/dashboard.ts';
import type { DashboardServices } from '../../src/dashboard/services.ts';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { allDetectors } from '../../src/detectors/catalogue.ts';
import { mintSecrets } from '../../src/domain/mint-key.ts';
import { scopesOf } from '../../src/domain/scopes.ts';
import type { App } from '../../src/http/app.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { logOutages } from '../../src/main/log-outages.ts';
import { domainProver } from '../../src/main/prove-domain.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { insertApiKey } from '../../src/resources/keys/api-keys.ts';
import { Storage } from '../../src/resources/storage.ts';
import { credentialProblems } from '../../src/scan/credential-problems.ts';
import { depthOfFinding } from '../../src/scan/plan.ts';
import { blockedAddress } from '../../src/surfaces/connection/target-allowlist.ts';
import { createDatabase, type TestDatabase } from './postgres.ts';
import { loopbackSandbox } from './sandbox.ts';
import type { ClientKey } from './signing-client.ts';

/** What helpers need of a node. */
export interface RunningNode {
  readonly url: string;
  readonly storage: Storage;
}

export interface TestNode extends RunningNode {
  close(): Promise<void>;
}

/** What test files may use of a service that other files use as well, before and after them. */
export interface SharedService extends RunningNode {
  readonly database: TestDatabase;
  /** Routes below `/dashboard/api`, by name, such as `GET /dashboard/api/session`. */
  readonly dashboardRoutes: ReadonlyMap<string, FastifyContextConfig>;
  createOrganization(): Promise<string>;
  mint(organizationId: string, options?: MintOptions): Promise<ClientKey>;
}

export interface TestService extends SharedService, TestNode {
  /** Metrics of the first node. */
  readonly metrics: Metrics;
  /** Lines that the nodes logged. */
  readonly log: string[];
  /** Adds a node on the same database. */
  addNode(): Promise<TestNode>;
}

interface MintOptions {
  readonly kind?: KeyKind;
  readonly systemId?: string;
  readonly privileged?: boolean;
  readonly scopes?: ReturnType<typeof scopesOf>;
  readonly expiresAt?: Date;
  readonly publicKey?: Buffer;
  readonly allowedAddresses?: readonly string[];
}

type ServiceOptions = Partial<
  Pick<ServerOptions, 'brand' | 'publicPrefix' | 'transport' | 'trustedProxies'> &
    Omit<ApiServices, 'storage'> &
    Pick<DashboardServices, 'publicUrl' | 'domainProof' | 'oidc' | 'sendsMail'> & {
      /** Adds further routes. */
      readonly add: (app: App) => void;
      /** Changes how the nodes connect to the database. */
      readonly through: (connection: ConnectionSettings) => ConnectionSettings;
      /** The server, with a superuser. Default: the one of all tests. */
      readonly postgres: ConnectionSettings;
      /** A standby of that server. */
      readonly replica: ConnectionSettings;
      /** How long requests on people's accounts wait for a lock. Default: as long as a busy machine needs for a race. */
      readonly longestLockMs: number;
    }
>;

const operator = { kind: 'operator', id: 'test' } as const;

/** The real service on its own database: storage, guard and HTTP server, without a worker. */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const database = await createDatabase(options.postgres ?? inject('postgres'));
  const { through = connection => connection, longestLockMs = 60_000 } = options;
  const { roles } = await migrate(database.connection);
  const keyRing = givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));
  const log: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(line) });
  const nodes: TestNode[] = [];
  const dashboardRoutes = new Map<string, FastifyContextConfig>();
  const sandbox = loopbackSandbox({ settings: { allowlist: [], userAgent: 'Parapet/test' } });

  const addNode = async (): Promise<TestNode & { metrics: Metrics }> => {
    const storage = new Storage({
      connection: through(database.connection),
      replica: options.replica && { ...options.replica, database: database.connection.database },
      roles,
      keyRing,
      works: false,
      longestLockMs,
      onError: error => logger.error(error),
      onOutage: logOutages(logger),
    });
    await storage.start();
    const services = {
      storage,
      testConnection: async () => ({
        ok: true,
        checked_at: '2026-01-01T00:00:00.000+00:00',
        latency_ms: 1,
      }),
      credentialProblems,
      isBlockedAddress: blockedAddress(['127.0.0.0/8', '::1/128', '2001:db8::/32']),
      privilegedConnections: false,
      ...options,
    };
    const server = {
      brand: 'service',
      publicPrefix: '',
      publicUrl: undefined,
      version: '0.0.0',
      trustedProxies: ['127.0.0.0/8'],
      ...options,
    };
    const detectors = allDetectors();
    const metrics = new Metrics();
    const app = await buildServer({
      ...server,
      services,
      logger,
      metrics,
      guides: { detectors, userAgent: 'Parapet/0.0.0' },
      add: api => {
        api.addHook('onRoute', ({ method, url, config = {} }) => {
          if (!url.startsWith('/dashboard/api/') || url.endsWith('*')) return;
          for (const verb of [method].flat().filter(name => name !== 'HEAD')) {
            dashboardRoutes.set(`${verb} ${url}`, config);
          }
        });
        const domainProof = domainProver(sandbox);
        options.add?.(api);
        return addDashboard(api, {
          domainProof,
          depthOfFinding,
          sendsMail: true,
          ...services,
          ...server,
          detectors,
        });
      },
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= app.close().then(() => storage.close(0));
      return closed;
    };
    const node = { url: `http://127.0.0.1:${port}`, storage, metrics, close };
    nodes.push(node);
    return node;
  };

  const first = await addNode();
  return {
    ...first,
    database,
    log,
    dashboardRoutes,
    addNode,
    createOrganization: async () => (await first.storage.system.createOrganization('Test', operator)).id,
    mint: (organizationId, minting) => mintKey(first.storage, organizationId, minting),
    close: async () => {
      for (const node of nodes) await node.close();
      await sandbox.close();
      await database.drop();
    },
  };
}

let shared: Promise<TestService> | undefined;

/**
 * One service for all test files of this process that only read and write organizations of their own: starting one takes
 * longer than most of them. Files that compare all organizations, or change the schema or records past their triggers,
 * start their own. It ends with the process.
 */
export async function sharedService(): Promise<SharedService> {
  shared ??= startService();
  return shared;
}

/** Creates a key like the operator, with options that an operator does not have. */
async function mintKey(
  storage: Storage,
  organizationId: string,
  options: MintOptions = {},
): Promise<ClientKey> {
  const kind = options.kind ?? 'dashboard';
  const secrets = mintSecrets(kind);
  const { id } = await storage.tenant(organizationId, operator).transaction(transaction =>
    insertApiKey(transaction, {
      kind,
      systemId: options.systemId ?? null,
      tokenHash: secrets.tokenHash,
      publicKey: options.publicKey ?? secrets.publicKey,
      scopes: options.scopes ?? scopesOf(kind, { privileged: options.privileged ?? false }),
      expiresAt: options.expiresAt ?? new Date(Date.now() + 3_600_000),
      allowedAddresses: options.allowedAddresses ?? [],
    }),
  );
  return { token: secrets.token, token_id: id, signing_key: secrets.signingKey };
}
