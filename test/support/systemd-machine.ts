import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { canTest } from './can-test.ts';
import { poll } from './poll.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const units = `${root}deploy/systemd/`;
const run = promisify(execFile);

/** Whether systemd can be started here, beside the machine's own init. */
export function canBootSystemd(): boolean {
  const program = '/usr/bin/systemd-nspawn';
  const installed = canTest(
    existsSync(program),
    `${program} (package systemd-container) is not installed; no unit is started`,
  );
  const namespaces = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']);
  const permitted = process.getuid?.() === 0 && namespaces.status === 0;
  return (
    canTest(permitted, 'systemd can be started only by root, with namespaces; no unit is started') &&
    installed
  );
}

export interface Unit {
  readonly name: string;
  /** Files in /etc/parapet. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * One unit under a real systemd, which has the programs, network and processors of this machine, and an empty /etc and /var. `parapet` is
 * the built program of this checkout.
 */
export class SystemdMachine {
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
  }

  static async boot({ name, files }: Unit): Promise<SystemdMachine> {
    const folder = await mkdtemp(join(tmpdir(), 'parapet-test-'));
    for (const part of ['etc', 'bin', 'units']) await mkdir(join(folder, part));
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, 'etc', file), text);
    const start = `#!/bin/sh\nexec '${process.execPath}' /opt/parapet/dist/main/parapet.js "$@"\n`;
    await writeFile(join(folder, 'bin/parapet'), start);
    await chmod(join(folder, 'bin/parapet'), 0o755);
    const text = await readFile(units + name, 'utf8');
    await writeFile(
      join(folder, 'units', name),
      text.replace(/^ExecStart=parapet /m, 'ExecStart=/opt/bin/parapet '),
    );
    const places = {
      [root.replace(/\/$/, '')]: '/opt/parapet',
      [join(folder, 'bin')]: '/opt/bin',
      [join(folder, 'etc')]: '/etc/parapet',
      [join(folder, 'units')]: '/etc/systemd/system',
      '/etc/hosts': '/etc/hosts',
      [`${units}parapet-user.conf`]: '/etc/sysusers.d/parapet.conf',
    };
    const machine = [
      '--directory=/',
      '--volatile=yes',
      '--boot',
      '--register=no',
      '--keep-unit',
      '--console=pipe',
    ];
    const binds = Object.entries(places).map(([here, there]) => `--bind-ro=${here}:${there}`);
    const settings = [
      `--machine=parapet-test-${process.pid}`,
      ...binds,
      'systemd.firstboot=off',
      `systemd.unit=${name}`,
    ];
    const child = spawn('systemd-nspawn', [...machine, ...settings], { stdio: 'ignore' });
    return new SystemdMachine(folder, child);
  }

  /** Runs a program in the machine, outside of the unit. */
  async inside(...command: string[]): Promise<string> {
    const init = await poll('the machine’s init', async () => {
      const children = `/proc/${this.#child.pid}/task/${this.#child.pid}/children`;
      return (await readFile(children, 'utf8')).trim().split(' ')[0] || undefined;
    });
    const within = ['--target', init, '--mount', '--pid', '--ipc', '--uts'];
    return (await run('nsenter', [...within, ...command])).stdout;
  }

  /** Shuts down as a machine does: units are stopped first. Returns the exit status. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
    return this.#child.exitCode;
  }
}
