import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectionPlaces } from '../../src/worker/worker.ts';
import { authorizedSource, queueScanOfEach } from '../support/authorized-source.ts';
import { startHostileSites } from '../support/hostile-sites.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { httpServer, rawServer, type TestServer } from '../support/website.ts';

/** In megabytes, the least that a worker takes. */
const memory = 512;
const { ofOneOrganization } = inspectionPlaces(memory * 1024 * 1024);

let service: TestService;
let worker: ServingProcess;
const opened: TestServer[] = [];
const timers: NodeJS.Timeout[] = [];
/** Requests that reached addresses outside the allowlist. */
const forbidden: string[] = [];

beforeAll(async () => {
  service = await startService();
  worker = await ServingProcess.work(service.database.url, {
    // One address of this machine is allowed; its others represent internal hosts.
    PARAPET_TARGET_ALLOWLIST: '127.0.0.1/32',
    PARAPET_SCAN_MEMORY: String(memory),
  });
});
afterAll(async () => {
  for (const timer of timers) clearInterval(timer);
  await worker?.kill('SIGTERM');
  for (const server of opened) await server.close();
  await generated?.();
  await service?.close();
});

async function running(starting: Promise<TestServer>): Promise<string> {
  const server = await starting;
  opened.push(server);
  return `http://127.0.0.1:${server.port}/`;
}

/** Writes as fast as the peer reads, until it disconnects. */
function pour(stream: NodeJS.WritableStream & { destroyed?: boolean }, chunk: string | Buffer): void {
  const more = () => {
    while (!stream.destroyed && stream.write(chunk));
  };
  stream.on('drain', more).on('error', () => {});
  more();
}

const megabyte = Buffer.alloc(1024 * 1024, 'a');

const scripts = Array.from({ length: 8 }, (_, index) => `<script src="/${index}.js"></script>`).join('');
const largePage = Buffer.from(
  `<!doctype html>${scripts}${'<p class="a">Schätzen Sie die Größe — ≈ 2 MB.</p>'.repeat(40_000)}`,
);
const largeScript = Buffer.from(
  'function größe(e,t){return e.ändern(t)?"≈-12":e[3]}const b={c:"/x/y.svg",d:e=>e&&e.target};'.repeat(
    21_000,
  ),
);

const largeSite = () =>
  httpServer((request, response) => {
    const isPage = request.url === '/';
    if (!isPage && !request.url?.endsWith('.js')) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'text/javascript' });
    response.end(isPage ? largePage : largeScript);
  });

/** Sites that answer every request in one way, in addition to `startHostileSites`. */
async function hostileSites(): Promise<string[]> {
  const drip = (socket: { write(text: string): unknown; destroyed: boolean }) => {
    timers.push(setInterval(() => !socket.destroyed && socket.write('a'), 1_000));
  };
  const { sites, close } = await startHostileSites(28);
  generated = close;
  return [
    ...sites.map(({ url }) => url),
    // A body of ten gigabytes.
    await running(
      httpServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': String(10 * 1024 ** 3) });
        pour(response, megabyte);
      }),
    ),
    // One byte per second.
    await running(
      rawServer(socket => {
        socket.resume().write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<');
        drip(socket);
      }),
    ),
    // Endless scripts.
    await running(
      httpServer((request, response) => {
        if (request.url === '/') {
          const scripts = Array.from({ length: 50 }, (_, index) => `<script src="/${index}.js"></script>`);
          response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${scripts.join('')}`);
        } else {
          response.writeHead(200, { 'content-type': 'text/javascript' });
          pour(response, megabyte);
        }
      }),
    ),
    // As many as one worker scans at once, each as large as a scan reads, with characters that take two bytes in
    // memory.
    ...(await Promise.all(Array.from({ length: ofOneOrganization }, () => running(largeSite())))),
    // Redirects to internal hosts.
    ...(await Promise.all(
      ['127.0.0.2', '2130706434', '0x7f000002', '0177.0.0.2', '[::ffff:127.0.0.2]', '[::1]'].map(host =>
        running(
          httpServer((_request, response) => {
            response.writeHead(302, { location: `http://${host}:${inside}/` }).end();
          }),
        ),
      ),
    )),
  ];
}

let generated: (() => Promise<void>) | undefined;

/** The port of the internal host, on every address of this machine. */
let inside: number;

it('scans every kind of hostile site to an end, in little memory, and reaches no internal host', {
  timeout: 420_000,
}, async () => {
  // The only listener on addresses other than the allowed one.
  const trap = net.createServer(socket => {
    forbidden.push(socket.localAddress ?? '');
    socket.destroy();
  });
  inside = await new Promise(resolve =>
    trap.listen(0, '::', () => resolve((trap.address() as AddressInfo).port)),
  );
  const sites = await hostileSites();
  const literals = ['2130706434', '0x7f000002', '0177.0.0.2', '127.2', '[::ffff:7f00:2]'];
  const hosts = [...sites, ...literals.map(host => `http://${host}:${inside}/`)];
  const { person, systemId } = await authorizedSource(service, { host: hosts[0]! });
  await person.transaction(transaction => queueScanOfEach(transaction, systemId, hosts));
  await poll(
    'all scans to end',
    async () => {
      const { rows } = await asOwner(service.database.connection, client =>
        client.query('select count(*)::int as n from scans where finished_at is not null'),
      );
      return rows[0].n === hosts.length || undefined;
    },
    400,
  );
  trap.close();
  expect(forbidden).toEqual([]);
  const { rows: refused } = await asOwner(service.database.connection, client =>
    client.query(
      `select distinct s.host, r.cause from scan_runs r join sources s on s.id = r.source_id
        where s.host = any ($1)`,
      [literals.map(host => `http://${host}:${inside}/`)],
    ),
  );
  expect(new Set(refused.map(row => row.cause))).toEqual(new Set(['refused_private_address']));
  expect(refused).toHaveLength(literals.length);
  const { rows: ended } = await asOwner(service.database.connection, client =>
    client.query(
      "select distinct s.host, r.cause from scan_runs r join sources s on s.id = r.source_id where r.cause in ('crashed', 'out_of_memory', 'took_too_long')",
    ),
  );
  expect(ended, 'no site takes longer than a scan may').toEqual([]);
  const status = readFileSync(`/proc/${worker.child.pid}/status`, 'utf8');
  const peakMegabytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
  expect(peakMegabytes, 'the process beside the sandbox').toBeLessThan(200);
});
