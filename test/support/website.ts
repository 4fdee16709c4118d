import { spawn, spawnSync } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type tls from 'node:tls';
import { createTargetGuard, type TargetGuard } from '../../src/surfaces/connection/target-guard.ts';
import { canTest } from './can-test.ts';
import { poll } from './poll.ts';

/** A guard that lets tests reach their own servers, but no other private addresses. */
export function loopbackGuard(): TargetGuard {
  return createTargetGuard({ allowlist: ['127.0.0.0/8'] });
}

export interface TestServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1; closing ends all connections. */
async function listen(server: net.Server): Promise<TestServer> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export function httpServer(handler: http.RequestListener): Promise<TestServer> {
  return listen(http.createServer(handler));
}

/** @param prepare may add listeners to the server before it listens */
export function httpsServer(
  options: https.ServerOptions,
  handler: http.RequestListener,
  prepare: (server: https.Server) => void = () => {},
): Promise<TestServer> {
  const server = https.createServer(options, handler);
  prepare(server);
  return listen(server);
}

/** A raw TCP server, for answers that no HTTP library would send. */
export function rawServer(onConnection: (socket: net.Socket) => void): Promise<TestServer> {
  return listen(net.createServer(onConnection));
}

/** HTTPS and plain HTTP on one port, distinguished by the first byte of the connection. */
export function twoProtocolServer(
  options: tls.TlsOptions,
  secure: http.RequestListener,
  plain: http.RequestListener,
): Promise<TestServer> {
  const secureServer = https.createServer(options, secure);
  const plainServer = http.createServer(plain);
  secureServer.on('tlsClientError', () => {});
  return rawServer(socket => {
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) return socket.destroy();
      socket.unshift(first);
      (first[0] === 0x16 ? secureServer : plainServer).emit('connection', socket);
    });
  });
}

/** One port for a server's two ports: the first byte of a connection distinguishes HTTPS from plain HTTP. */
export async function bothProtocols(): Promise<
  TestServer & { leadTo(ports: { readonly https: number; readonly http: number }): void }
> {
  let to = { https: 0, http: 0 };
  const front = await rawServer(socket =>
    socket.once('data', first => {
      const upstream = net.connect(first[0] === 0x16 ? to.https : to.http, '127.0.0.1');
      const end = () => [socket, upstream].map(end => end.destroy());
      upstream.on('error', end).on('close', end).write(first);
      socket.on('close', end).pipe(upstream).pipe(socket);
    }),
  );
  return {
    ...front,
    leadTo: ports => {
      to = ports;
    },
  };
}

/** Directives of the http block that keep nginx's temporary files in a folder. */
export function nginxTemporary(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return kinds.map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ');
}

const nginxPath = '/usr/sbin/nginx';

/** Whether nginx is installed; warns if not, since its tests are then skipped. */
export const hasNginx = () =>
  canTest(existsSync(nginxPath), `${nginxPath} is not installed; the tests against a real nginx do not run`);

/**
 * Starts nginx as a child in the foreground with one server block on a free loopback port.
 *
 * @param files by path below the document root
 */
export async function startNginx(
  serverBlock: string,
  certificate: { certificate: string; key: string },
  files: Readonly<Record<string, string>>,
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-test-'));
  const port = await freePort();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, 'html', path, '..'), { recursive: true });
    await writeFile(join(folder, 'html', path), content);
  }
  await writeFile(join(folder, 'site.crt'), certificate.certificate);
  await writeFile(join(folder, 'site.key'), certificate.key);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
     events { worker_connections 64; }
     http { access_log off; ${nginxTemporary(folder)} types { text/html html; application/javascript js; }
       server { listen 127.0.0.1:${port} ssl; root ${folder}/html;
         ssl_certificate ${folder}/site.crt; ssl_certificate_key ${folder}/site.key; ${serverBlock} } }`,
  );
  const child = await runNginx(folder, port);
  return {
    port,
    close: async () => {
      await child.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs nginx in the foreground with the `nginx.conf` of a folder, until it is closed.
 *
 * @param port that it listens on
 * @param directives further ones for the main block
 */
export async function runNginx(folder: string, port: number, directives = ''): Promise<TestServer> {
  const argv = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', directives];
  const check = spawnSync(nginxPath, [...argv, '-t'], { encoding: 'utf8' });
  if (check.status !== 0) throw new Error(`nginx refuses its configuration: ${check.stderr}`);
  const child = spawn(nginxPath, argv, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  await reachable(port);
  return {
    port,
    close: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Whether the `openssl` command is installed; warns if not, since its tests are then skipped. */
export const hasOpenssl = () =>
  canTest(
    spawnSync('openssl', ['version']).status === 0,
    'openssl is not installed; the tests against its server do not run',
  );

/**
 * Starts OpenSSL's test server on a free loopback port. To a client that requests a name other than `servername` it
 * sends a warning first.
 *
 * @param parameters additional command line parameters
 */
export async function startOpensslServer(
  { key, certificate, servername }: { key: string; certificate: string; servername: string },
  parameters: readonly string[],
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'openssl-test-'));
  const file = join(folder, 'both.pem');
  await writeFile(file, `${certificate}\n${key}\n`);
  const child = spawn(
    'openssl',
    [
      ...['s_server', '-accept', '127.0.0.1:0', '-www', '-cert', file],
      ...['-servername', servername, '-cert2', file, ...parameters],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  let output = '';
  let port: number | undefined;
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    const listening = /^ACCEPT .*:(\d+)\n/m.exec(output);
    if (listening === null) continue;
    port = Number(listening[1]);
    break;
  }
  if (port === undefined) throw new Error(`openssl does not listen: ${output}`);
  child.stdout.resume();
  return {
    port,
    close: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Below the ports that the kernel assigns to servers and connections without a fixed port, so that other tests cannot
 * take one in between. Each has a second port, which a process listens on as long as the first one is reserved for it.
 */
const firstPort = 10_000;
const ports = 10_000;
let nextPort = process.pid * 500;

/** A loopback port on which nothing listens, and that no other process of tests is given before this one ends. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ports; attempt++) {
    const port = firstPort + (nextPort++ % ports);
    const reservation = net.createServer();
    if (!(await listens(reservation, port + ports))) continue;
    const server = net.createServer();
    if (await listens(server, port)) {
      reservation.unref();
      server.close();
      await once(server, 'close');
      return port;
    }
    reservation.close();
  }
  throw new Error('no loopback port is free');
}

/** False if the port is taken. */
function listens(server: net.Server, port: number): Promise<boolean> {
  return happens(server.listen(port, '127.0.0.1'), 'listening');
}

/** False if an error comes first. */
function happens(emitter: EventEmitter, event: string): Promise<boolean> {
  return once(emitter, event).then(
    () => true,
    () => false,
  );
}

/** Resolves once something listens on a loopback port. */
export function reachable(port: number): Promise<true> {
  return poll(`a server on port ${port}`, async () => {
    const socket = net.connect(port, '127.0.0.1');
    const isConnected = await happens(socket, 'connect');
    socket.destroy();
    return isConnected;
  });
}
