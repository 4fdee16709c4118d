import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { makeCertificate } from './certificate.ts';
import { sampleAnswers } from './content.ts';

export interface SampleSite {
  /** For a browser, which warns about the expired certificate. */
  readonly url: string;
  /** For a website source. It resolves to loopback, which the target allowlist must contain. */
  readonly host: string;
  close(): Promise<void>;
}

const day = 86_400_000;

/** Starts a website with known flaws on loopback, with HTTPS and plain HTTP on one free port. */
export async function startSampleSite(): Promise<SampleSite> {
  const { certificate, key } = makeCertificate({
    name: 'Harbor View Clinic sample site',
    covers: ['localhost', '127.0.0.1'],
    validFrom: new Date(Date.now() - 100 * day),
    validTo: new Date(Date.now() - 10 * day),
    key: 'rsa2048',
  });
  const secure = https.createServer(
    // SECLEVEL=0 makes OpenSSL accept TLS 1.0 and 1.1.
    { cert: certificate, key, minVersion: 'TLSv1', maxVersion: 'TLSv1.2', ciphers: 'DEFAULT@SECLEVEL=0' },
    answer,
  );
  const plain = http.createServer(answer);
  secure.on('tlsClientError', () => {});
  const sockets = new Set<net.Socket>();
  const server = net.createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      // A TLS connection begins with a handshake record (RFC 8446, 5.1).
      (first[0] === 0x16 ? secure : plain).emit('connection', socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: `https://${host}/`,
    host,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const found = sampleAnswers.get(path);
  response.setHeader('Server', 'Apache/2.4.29 (Ubuntu)');
  response.setHeader('X-Powered-By', 'PHP/7.2.24');
  const { origin } = request.headers;
  if (origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
  }
  if (path === '/') {
    response.setHeader('Content-Security-Policy', "default-src * 'unsafe-inline' 'unsafe-eval'");
    response.setHeader('Set-Cookie', [
      'PHPSESSID=sample0session0id; path=/',
      '__Host-locale=en; path=/portal; Secure',
    ]);
    response.setHeader('X-Debug-Token', 'c0ffee');
  }
  response.statusCode = found === undefined ? 404 : 200;
  response.setHeader('Content-Type', found?.type ?? 'text/plain');
  response.end(found?.body ?? 'Not found\n');
}
