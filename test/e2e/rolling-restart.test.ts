import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canTest } from '../support/can-test.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, signRequest } from '../support/signing-client.ts';
import { freePort } from '../support/website.ts';

const haproxy = '/usr/sbin/haproxy';
const hasHaproxy = canTest(
  existsSync(haproxy),
  `${haproxy} is not installed; no node is restarted behind it`,
);

/** 10,000 for a long run. */
const least = Number(process.env.PARAPET_TEST_REQUESTS ?? 600);
const masterKey = randomBytes(32).toString('base64');

let service: TestService;
let keys: ClientKey[];
let nodes: ServingProcess[];
let ports: number[];
let proxy: ChildProcess;
let folder: string;

beforeAll(async () => {
  if (!hasHaproxy) return;
  service = await startService();
  keys = await Promise.all(
    Array.from({ length: 60 }, async () => service.mint(await service.createOrganization())),
  );
  ports = await Promise.all([freePort(), freePort(), freePort()]);
  nodes = await Promise.all([startNode(ports[0]!), startNode(ports[1]!)]);
  folder = await mkdtemp(join(tmpdir(), 'parapet-proxy-'));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(ports));
  proxy = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  await poll('the proxy', () =>
    ask('/healthz').then(
      status => status === 200,
      () => false,
    ),
  );
}, 120_000);
afterAll(async () => {
  for (const node of nodes ?? []) await node.kill();
  if (proxy) {
    proxy.kill('SIGKILL');
    await once(proxy, 'exit');
    await rm(folder, { recursive: true });
  }
  await service?.close();
});

/** Asks `/readyz`, as docs/configuration.md recommends. A second attempt would hide a lost request. */
function configuration([first, second, own]: readonly number[]): string {
  return `
    defaults
      mode http
      timeout connect 5s
      timeout client 60s
      timeout server 60s
      retries 0
    frontend clients
      bind 127.0.0.1:${own}
      default_backend nodes
    backend nodes
      balance roundrobin
      option httpchk GET /readyz
      http-check expect status 200
      default-server check inter 300ms fall 1 rise 1
      server first 127.0.0.1:${first}
      server second 127.0.0.1:${second}
`;
}

function startNode(port: number): Promise<ServingProcess> {
  return ServingProcess.serve(
    {
      DATABASE_URL: service.database.url,
      PARAPET_MASTER_KEY: masterKey,
      PARAPET_DRAIN_SECONDS: '2',
      PARAPET_MANAGEMENT_PORT: '0',
      PORT: String(port),
    },
    ['--role', 'api'],
  );
}

function ask(
  target: string,
  headers: Record<string, string> = {},
  agent: Agent | false = false,
  to = ports[2]!,
) {
  return new Promise<number>((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port: to, path: target, headers, agent }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode!));
      answer.on('error', reject);
    });
    sending.on('error', reject).end();
  });
}

const logged = (node: ServingProcess, msg: string) => node.log.some(line => line.includes(`"msg":"${msg}"`));

it.runIf(hasHaproxy)(
  'loses no request while the nodes behind a load balancer are restarted one after another',
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const results = new Map<string, number>();
    let isOn = true;
    let sent = 0;
    /** Signed calls within the limits of their keys, and pages. */
    const client = async () => {
      while (isOn) {
        const turn = sent++;
        const key =
          turn % 10 === 0 && turn / 10 < keys.length * 50 ? keys[(turn / 10) % keys.length]! : undefined;
        const target = key ? '/api/v1/systems' : turn % 2 === 0 ? '/dashboard/sign-in' : '/healthz';
        const { headers = {} } = key ? signRequest(key, 'GET', target) : {};
        const result = await ask(target, headers, turn % 3 === 0 ? false : agent).catch(
          (error: Error) => error.message,
        );
        results.set(
          `${key ? 'signed' : 'plain'} ${result}`,
          (results.get(`${key ? 'signed' : 'plain'} ${result}`) ?? 0) + 1,
        );
      }
    };
    const clients = Array.from({ length: 4 }, client);
    do {
      for (const [index, node] of nodes.entries()) {
        const ended = once(node.child, 'exit');
        node.child.kill('SIGTERM');
        await poll('the node to drain', () => logged(node, 'draining'));
        const answer = await fetch(`http://127.0.0.1:${ports[index]}/readyz`);
        expect([answer.status, await answer.json()]).toEqual([503, { status: 'draining' }]);
        expect((await fetch(`http://127.0.0.1:${ports[index]}/healthz`)).status, 'is still served').toBe(200);
        expect((await ended)[0]).toBe(0);
        nodes[index] = await startNode(ports[index]!);
        // The next one only stops once the proxy uses this one again.
        await poll(
          'requests on the new node',
          () => logged(nodes[index]!, 'request') && hasPages(nodes[index]!),
        );
      }
    } while (sent < least);
    isOn = false;
    await Promise.all(clients);
    agent.destroy();
    console.info('rolling restart:', sent, 'requests', Object.fromEntries(results));
    expect([...results.keys()].sort()).toEqual(['plain 200', 'signed 200']);
    expect(sent).toBeGreaterThanOrEqual(least);
  },
  600_000,
);

/** Whether it has answered more than health checks. */
function hasPages(node: ServingProcess): boolean {
  return node.log.some(line => line.includes('"route":"/dashboard/'));
}

it.runIf(hasHaproxy)(
  'reports that it is too old for its database, but not that a newer release has migrated it',
  async () => {
    const port = ports[0]!;
    const readiness = async () =>
      (await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as { status: string };
    expect(await readiness()).toEqual({ status: 'ready' });
    const change = (sql: string) => asOwner(service.database.connection, owner => owner.query(sql));
    await change(`insert into schema_migrations (version, name, checksum) values (9998, '9998_expands', 'x');
    insert into schema_migrations (version, name, checksum, oldest) values (9999, '9999_ends', 'x', 9998)`);
    await expect.poll(readiness, { timeout: 20_000 }).toEqual({ status: 'release too old for the database' });
    await change('delete from schema_migrations where version = 9999');
    await expect.poll(readiness, { timeout: 20_000 }).toEqual({ status: 'ready' });
    await change('delete from schema_migrations where version = 9998');
  },
);
