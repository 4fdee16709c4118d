import { execFile } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { canTest } from './can-test.ts';
import type { ContainerStore } from './container-image.ts';
import { poll } from './poll.ts';
import { freePort } from './website.ts';

const execute = promisify(execFile);
const deployed = fileURLToPath(new URL('../../deploy/compose', import.meta.url));

/** Whether files of Compose can be started; warns if not, since the tests are then skipped. */
export const hasCompose = () => {
  const missing = ['/usr/bin/podman-compose', '/usr/lib/podman/netavark', '/usr/lib/podman/aardvark-dns'];
  return canTest(missing.every(existsSync), 'podman-compose, netavark or aardvark-dns is not installed');
};

interface ComposeFile {
  readonly services: Record<string, { image: string; ports?: string[]; ulimits?: object }>;
}

/** What a file of deploy/compose starts. */
export class Composition {
  /** Of the public port. */
  readonly url: string;
  readonly #store: ContainerStore;
  readonly #folder: string;
  readonly #project: string;

  private constructor(store: ContainerStore, folder: string, project: string, port: number) {
    this.#store = store;
    this.#folder = folder;
    this.#project = project;
    this.url = `http://127.0.0.1:${port}`;
  }

  /**
   * Starts a file as its first comment says, and waits until it is ready, with these differences: images of the store, a free port, and the limits that this machine
   * may set.
   */
  static async start(store: ContainerStore, name: 'single' | 'cluster'): Promise<Composition> {
    const folder = join(store.folder, name);
    cpSync(deployed, folder, { recursive: true });
    const text = await readFile(join(folder, `${name}.yaml`), 'utf8');
    const commands = text
      .split('\n')
      .filter(line => /^# {3}/.test(line))
      .map(line => line.slice(1));
    await execute('sh', ['-ec', commands.join('\n')], { cwd: folder });
    const port = await freePort();
    const file: ComposeFile = parse(text, { merge: true });
    for (const [service, settings] of Object.entries(file.services)) {
      settings.image = `localhost/${service === 'postgresql' ? 'postgresql' : 'parapet'}`;
      settings.ulimits = { nofile: 4096, nproc: 4096 };
      if (settings.ports) settings.ports = [`127.0.0.1:${port}:8080`];
    }
    await writeFile(join(folder, 'here.yaml'), stringify(file));
    await mkdir(join(folder, 'bin'));
    const podman = `#!/bin/sh\nexec /usr/bin/podman ${store.podmanOptions.join(' ')} --network-backend netavark "$@"\n`;
    await writeFile(join(folder, 'bin/podman'), podman, { mode: 0o755 });
    const composition = new Composition(store, folder, `parapet-${name}-${port}`, port);
    await composition.#compose('up', '--detach');
    try {
      const answers = () => fetch(`${composition.url}/readyz`).catch(() => undefined);
      await poll('Parapet is ready', async () => (await answers())?.ok);
    } catch (error) {
      const logs = Object.keys(file.services).map(service =>
        store.logOf(`${composition.#project}_${service}_1`),
      );
      const text = (await Promise.all(logs)).join('\n');
      await composition.remove();
      throw new Error(text, { cause: error });
    }
    return composition;
  }

  /** Runs a command of Parapet in a container of the service, and returns its output. */
  async parapet(service: string, ...parameters: string[]): Promise<string> {
    return this.#store.podman('exec', `${this.#project}_${service}_1`, 'parapet', ...parameters);
  }

  async remove(): Promise<void> {
    await this.#compose('down', '--volumes');
  }

  async #compose(...parameters: string[]): Promise<void> {
    const file = ['--project-name', this.#project, '--file', 'here.yaml'];
    await execute('podman-compose', [...file, ...parameters], {
      cwd: this.#folder,
      env: { ...process.env, PATH: `${join(this.#folder, 'bin')}:${process.env.PATH}` },
    });
  }
}
