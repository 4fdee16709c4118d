import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { canTest } from './can-test.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);
const programs = ['buildah', 'mmdebstrap', 'podman', 'runc'];

/** Whether images can be built and run here. */
export function canRunContainers(): boolean {
  const found = (name: string) => ['/usr/bin/', '/usr/sbin/'].some(folder => existsSync(folder + name));
  const missing = programs.filter(name => !found(name));
  const installed = canTest(
    missing.length === 0,
    `${missing.join(', ')} not installed; no container is built`,
  );
  return canTest(process.getuid?.() === 0, 'only root can build containers here; none is built') && installed;
}

/** Where buildah and podman keep images and containers of a test. */
export class ContainerStore {
  readonly folder: string;
  readonly #options: readonly string[];

  private constructor(folder: string) {
    this.folder = folder;
    this.#options = [
      '--storage-driver',
      'vfs',
      '--root',
      join(folder, 'store'),
      '--runroot',
      join(folder, 'run'),
    ];
  }

  static async create(): Promise<ContainerStore> {
    const folder = await mkdtemp(join(tmpdir(), 'parapet-test-'));
    await chmod(folder, 0o711);
    return new ContainerStore(folder);
  }

  async buildah(...parameters: string[]): Promise<string> {
    return (await execute('buildah', [...this.#options, ...parameters], { maxBuffer: 2 ** 24 })).stdout;
  }

  /** Before the command. */
  get podmanOptions(): readonly string[] {
    const local = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs', '--events-backend', 'none'];
    return [...local, ...this.#options];
  }

  async podman(...parameters: string[]): Promise<string> {
    return (await execute('podman', [...this.podmanOptions, ...parameters], { maxBuffer: 2 ** 24 })).stdout;
  }

  /** The last lines that a container wrote. */
  async logOf(container: string): Promise<string> {
    const parameters = [...this.podmanOptions, 'logs', '--tail', '40', container];
    const { stdout, stderr } = await execute('podman', parameters);
    return `${container}:\n${stdout}${stderr}`;
  }

  /** Starts a container in the foreground. */
  start(...parameters: string[]) {
    return spawn('podman', [...this.podmanOptions, 'run', ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** The base image: this machine's release of Debian with this Node.js and npm, since no registry of images may be reachable. */
  async #makeBase(): Promise<void> {
    const context = await this.#debianContext('base', 'ca-certificates,libstdc++6,tini');
    copyFileSync(process.execPath, join(context, 'node'));
    const npm = dirname(dirname(await realpath((await execute('which', ['npm'])).stdout.trim())));
    await execute('cp', ['-r', npm, join(context, 'npm')]);
    // The registry of packages may be behind an authority of this machine.
    copyFileSync('/etc/ssl/certs/ca-certificates.crt', join(context, 'authorities.crt'));
    const lines = [
      'FROM scratch',
      'ADD base.tar /',
      'COPY node /usr/bin/node',
      'COPY npm /usr/lib/node_modules/npm',
      'COPY authorities.crt /etc/ssl/authorities.crt',
      'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/authorities.crt',
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm',
    ];
    await writeFile(join(context, 'Containerfile'), lines.join('\n'));
    await this.#build('base', context, []);
    await rm(context, { recursive: true });
  }

  /** A folder with packages of this machine's release of Debian as `base.tar`. */
  async #debianContext(name: string, packages: string): Promise<string> {
    const release =
      /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
    const context = join(this.folder, name);
    await mkdir(context);
    const options = ['--quiet', '--variant=apt', `--include=${packages}`];
    await execute('mmdebstrap', [...options, release, join(context, 'base.tar')]);
    return context;
  }

  async #build(tag: string, context: string, parameters: readonly string[]): Promise<void> {
    const always = ['bud', '--quiet', '--format', 'docker', '--isolation', 'chroot'];
    await this.buildah(...always, ...parameters, '-t', tag, context);
  }

  /** Builds the image `parapet` from the packed package. */
  async build(): Promise<void> {
    const context = join(this.folder, 'context');
    await mkdir(context);
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', context];
    await Promise.all([this.#makeBase(), execute('npm', pack, { cwd: root })]);
    copyFileSync(`${root}.containerignore`, join(context, '.containerignore'));
    const file = `${root}deploy/container/Containerfile`;
    await this.#build('parapet', context, ['--build-arg', 'BASE=localhost/base', '--file', file]);
  }

  /** Builds the image `postgresql`: Debian's PostgreSQL, started as the official image documents. */
  async buildPostgresql(): Promise<void> {
    const context = await this.#debianContext('postgresql', 'postgresql');
    await writeFile(join(context, 'entrypoint'), postgresqlEntrypoint, { mode: 0o755 });
    const lines = [
      'FROM scratch',
      'ADD base.tar /',
      'COPY entrypoint /',
      'RUN rm -rf /var/lib/postgresql/* && mkdir /docker-entrypoint-initdb.d',
      'VOLUME /var/lib/postgresql',
      'STOPSIGNAL SIGINT',
      'ENTRYPOINT ["/entrypoint"]',
      'CMD ["postgres"]',
    ];
    await writeFile(join(context, 'Containerfile'), lines.join('\n'));
    await this.#build('postgresql', context, []);
    await rm(context, { recursive: true });
  }

  async remove(): Promise<void> {
    await this.podman('rm', '--all', '--force', '--time', '0');
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** With the variables and the folder of https://hub.docker.com/_/postgres. */
const postgresqlEntrypoint = `#!/bin/bash
set -eu
export PATH=$(echo /usr/lib/postgresql/*/bin):$PATH PGDATA=/var/lib/postgresql/data
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
install -d -o postgres /run/postgresql
if [ ! -e "$PGDATA" ]; then
  chown postgres /var/lib/postgresql
  as_postgres initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  as_postgres pg_ctl start --wait --options='-c listen_addresses='
  for script in /docker-entrypoint-initdb.d/*.sh; do as_postgres sh "$script"; done
  as_postgres pg_ctl stop --wait
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups "$@" -c 'listen_addresses=*'
`;
