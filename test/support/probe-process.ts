import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { poll } from './poll.ts';
import type { ClientKey } from './signing-client.ts';
import { textsIn } from './texts-in.ts';

/** The probe as built. */
export const builtProbe = fileURLToPath(new URL('../../dist/parapet-probe.cjs', import.meta.url));

/** A probe's folder: its configuration, key and spool. */
export class ProbeHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'parapet-probe-'));
  readonly configuration = join(this.folder, 'probe.yaml');
  readonly spool = join(this.folder, 'spool');

  /** @param targets YAML of the targets */
  constructor(options: {
    readonly url: string;
    readonly key: ClientKey;
    readonly targets: string;
    readonly more?: string;
  }) {
    mkdirSync(this.spool, { mode: 0o700 });
    this.storeKey(options.key);
    const settings = [
      'name: office',
      `service: { url: "${options.url}", key_file: "${join(this.folder, 'key.json')}" }`,
      'inventory: off',
      `spool: { folder: "${this.spool}", max_size: 256 KB }`,
      ...(options.more ? [options.more] : []),
      'targets:',
      options.targets,
    ];
    writeFileSync(this.configuration, `${settings.join('\n')}\n`, { mode: 0o600 });
  }

  storeKey(key: ClientKey): void {
    writeFileSync(join(this.folder, 'key.json'), JSON.stringify(key), { mode: 0o600 });
  }

  /** The text of every file in the spool, however it is encoded. */
  spooled(): string {
    return textsIn(this.spool);
  }
}

interface StartOptions {
  readonly program?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly parameters?: readonly string[];
  /** Default: `run`, which logs JSON, as `forward` does. */
  readonly command?: string;
}

/** `parapet probe run` as a separate process, or another agent. */
export class ProbeProcess {
  readonly child: ChildProcess;
  /** Names of the events that it logged. */
  readonly log: string[] = [];
  readonly output: string[] = [];
  errors = '';

  constructor(
    home: Pick<ProbeHome, 'configuration' | 'folder'>,
    {
      program = [process.execPath, builtProbe],
      env = {},
      parameters = [],
      command = 'run',
    }: StartOptions = {},
  ) {
    const [file = '', ...args] = [...program, command, '--config', home.configuration, ...parameters];
    this.child = spawn(file, args, {
      env: { PATH: process.env.PATH, ...env },
      cwd: home.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    createInterface({ input: this.child.stdout! }).on('line', line => {
      this.output.push(line);
      if (['run', 'forward'].includes(command)) this.log.push(JSON.parse(line).msg);
    });
    this.child.stderr!.on('data', chunk => {
      this.errors += chunk;
    });
  }

  count(event: string): number {
    return this.log.filter(logged => logged === event).length;
  }

  /** Waits until the event was logged this many times. Fails if the process ends first. */
  async logs(event: string, times = 1): Promise<void> {
    const hasEnded = () => this.child.exitCode !== null || this.child.signalCode !== null;
    await poll(`the probe logs ${event}`, () => this.count(event) >= times || hasEnded());
    if (this.count(event) < times) throw new Error(`the probe ended: ${this.log.join(' ')} ${this.errors}`);
  }

  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      if (signal) this.child.kill(signal);
      await once(this.child, 'close');
    }
    return this.child.exitCode;
  }
}
