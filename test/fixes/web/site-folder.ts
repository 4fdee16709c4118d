import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { authority } from '../../support/scan-website.ts';
import { bothProtocols, freePort, reachable, type TestServer } from '../../support/website.ts';
import { type Site, siteName } from './site.ts';

/** Where a product finds what it serves. */
export interface SiteFolder {
  readonly path: string;
  /** The document root. */
  readonly root: string;
  readonly certificate: string;
  readonly key: string;
  /** Ports that the product listens on, and the one that clients use for both. */
  readonly ports: { readonly https: number; readonly http: number; readonly front: number };
  /** Code as it is printed, with the test's ports and names in the place of the usual ones. */
  here(code: string | undefined): string;
}

const { chain, key } = authority.issue({ covers: [siteName] });

const page =
  '<!doctype html><html lang="en"><head><title>Portal</title></head><body>Hello<a href="/privacy">Privacy</a></body></html>\n';

/**
 * Runs a program in the foreground that serves a site, until it is closed.
 *
 * @param command gives its command line, once the folder is there
 */
export async function serveSite(
  site: Site,
  command: (folder: SiteFolder) => Promise<readonly [string, ...string[]]>,
): Promise<TestServer> {
  const path = await mkdtemp(join(tmpdir(), 'site-'));
  const front = await bothProtocols();
  const ports = { https: await freePort(), http: await freePort(), front: front.port };
  front.leadTo(ports);
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  };
  // Servers that start as root read pages as somebody else.
  await chmod(path, 0o755);
  for (const [name, text] of Object.entries({ 'index.html': page, ...site.files })) {
    await write(join('html', name), text);
  }
  await write('site.crt', chain);
  await write('site.key', key);
  const [program, ...parameters] = await command({
    path,
    root: join(path, 'html'),
    certificate: join(path, 'site.crt'),
    key: join(path, 'site.key'),
    ports,
    here: (code = '') =>
      code
        .replaceAll('https://$host', `https://$host:${ports.front}`)
        .replaceAll('https://{host}', `https://{host}:${ports.front}`)
        .replaceAll('https://example.com', `https://${siteName}:${ports.front}`)
        .replaceAll('example.com', siteName)
        .replaceAll(/\blisten 80;/g, `listen 127.0.0.1:${ports.http};`)
        .replaceAll('*:80>', `127.0.0.1:${ports.http}>`)
        .replaceAll('/var/www/html', join(path, 'html')),
  });
  const child = spawn(program, parameters, {
    cwd: path,
    env: { ...process.env, HOME: path },
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
      reachable(ports.https),
      exited.then(() => Promise.reject(new Error(`${program} ended: ${output}`))),
    ]);
  } catch (error) {
    await close();
    throw error;
  }
  return { port: front.port, close };
}

/** The folder's file, with its text. */
export async function placed({ path }: SiteFolder, name: string, text: string): Promise<string> {
  await writeFile(join(path, name), text);
  return join(path, name);
}
