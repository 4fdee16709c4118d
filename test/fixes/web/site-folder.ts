import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bothProtocols, freePort, reachable, type TestServer } from '../../support/website.ts';
import type { Site } from './site.ts';
import { type Addresses, asHere, writeCertificates, writeDocuments } from './site-files.ts';

const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** The folder of a site that a product serves. */
export interface SiteFolder extends Addresses {
  /** The document root. */
  readonly root: string;
  readonly certificate: string;
  readonly key: string;
  here(code: string | undefined): string;
}

/**
 * Runs a program in the foreground that serves a site, until it is closed.
 *
 * @param command returns the command line once the folder exists
 */
export async function serveSite(
  site: Site,
  command: (folder: SiteFolder) => Promise<readonly [string, ...string[]]>,
): Promise<TestServer> {
  const path = await mkdtemp(join(tmpdir(), 'site-'));
  const front = await bothProtocols();
  const ports = { https: await freePort(), http: await freePort(), front: front.port };
  // Without HTTPS, TLS handshakes reach the plain HTTP server.
  front.leadTo(servesHttps(site) ? ports : { https: ports.http, http: ports.http });
  await writeDocuments(path, site.files);
  await writeCertificates(path, site.certificate);
  const [program, ...parameters] = await command({
    path,
    root: join(path, 'html'),
    certificate: join(path, 'site.crt'),
    key: join(path, 'site.key'),
    ports,
    here: (code = '') => asHere(code, { path, ports }),
  });
  const child = spawn(program, parameters, {
    cwd: path,
    env: { ...process.env, HOME: path, NODE_PATH: nodeModules, SESSION_SECRET: 'of tests' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', chunk => {
    output += chunk;
  });
  child.stderr.on('data', chunk => {
    output += chunk;
  });
  const exited = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
    await front.close();
    await rm(path, { recursive: true, force: true });
  };
  try {
    await Promise.race([
      Promise.all([reachable(ports.http), ...(servesHttps(site) ? [reachable(ports.https)] : [])]),
      exited.then(() => Promise.reject(new Error(`${program} ended: ${output}`))),
    ]);
  } catch (error) {
    await close();
    throw error;
  }
  return { port: front.port, close };
}

/** Whether the site has HTTPS, according to its configuration if the product has none by default. */
function servesHttps({ isPlain, configuration }: Site): boolean {
  return !isPlain || /443|^example\.com/.test(Object.values(configuration).join('\n'));
}

/** Writes a file into the folder, and returns its path. */
export async function placed({ path }: SiteFolder, name: string, text: string): Promise<string> {
  await writeFile(join(path, name), text);
  return join(path, name);
}
