import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canTest } from './can-test.ts';
import type { TestCertificate } from './certificates.ts';
import { freePort, hasNginx, nginxTemporary, reachable, runNginx, type TestServer } from './website.ts';

const folder = fileURLToPath(new URL('../../deploy/proxy/', import.meta.url));
const caddyPath = '/usr/bin/caddy';

/** The name in the configurations of deploy/proxy. */
export const publicName = 'parapet.example.com';

export interface Proxy {
  readonly name: string;
  readonly isInstalled: () => boolean;
  /** @param port of Parapet */
  readonly start: (port: number, certificate: TestCertificate) => Promise<TestServer>;
}

/** The configuration as it is delivered, except for ports and places. */
async function configuration(name: string, changes: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(folder + name, 'utf8');
  for (const [here, there] of Object.entries(changes)) {
    if (!text.includes(here)) throw new Error(`${name} has no ${here}`);
    text = text.replaceAll(here, there);
  }
  return text;
}

async function placeOf({ certificate, key }: TestCertificate): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'proxy-test-'));
  await writeFile(join(place, 'fullchain.pem'), certificate);
  await writeFile(join(place, 'privkey.pem'), key);
  return place;
}

async function startNginx(port: number, certificate: TestCertificate): Promise<TestServer> {
  const place = await placeOf(certificate);
  const https = await freePort();
  const site = await configuration('nginx.conf', {
    '127.0.0.1:8080': `127.0.0.1:${port}`,
    'listen 443': `listen 127.0.0.1:${https}`,
    'listen 80': `listen 127.0.0.1:${await freePort()}`,
    // The same port could be another program's.
    'listen [::]:443 ssl http2;': '',
    'listen [::]:80;': '',
    [`/etc/letsencrypt/live/${publicName}/`]: `${place}/`,
  });
  const main = `daemon off; master_process off; pid ${place}/nginx.pid; error_log ${place}/error.log; events {}
http { access_log off; ${nginxTemporary(place)} ${site} }`;
  await writeFile(join(place, 'nginx.conf'), main);
  const nginx = await runNginx(place, https);
  return { port: https, close: () => nginx.close().then(() => rm(place, { recursive: true })) };
}

async function startCaddy(port: number, certificate: TestCertificate): Promise<TestServer> {
  const place = await placeOf(certificate);
  const https = await freePort();
  const site = await configuration('Caddyfile', {
    '127.0.0.1:8080': `127.0.0.1:${port}`,
    [`${publicName} {`]: `https://${publicName} {\n\tbind 127.0.0.1\n\ttls ${place}/fullchain.pem ${place}/privkey.pem`,
  });
  const options = `{\n\tadmin off\n\thttps_port ${https}\n\tauto_https disable_redirects\n}\n`;
  await writeFile(join(place, 'Caddyfile'), options + site);
  const env = { PATH: process.env.PATH, HOME: place };
  const parameters = ['run', '--adapter', 'caddyfile', '--config', join(place, 'Caddyfile')];
  const caddy = spawn(caddyPath, parameters, { env: env as NodeJS.ProcessEnv, stdio: 'ignore' });
  const exited = once(caddy, 'exit');
  await reachable(https);
  const close = async () => {
    caddy.kill('SIGTERM');
    await exited;
    await rm(place, { recursive: true });
  };
  return { port: https, close };
}

const hasCaddy = () =>
  canTest(existsSync(caddyPath), `${caddyPath} is not installed; deploy/proxy/Caddyfile is not tested`);

export const proxies: readonly Proxy[] = [
  { name: 'nginx', isInstalled: hasNginx, start: startNginx },
  { name: 'Caddy', isInstalled: hasCaddy, start: startCaddy },
];
