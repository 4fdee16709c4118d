import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CrowdsecServer } from './crowdsec.ts';
import { builtProbe, ProbeProcess } from './probe-process.ts';
import type { ClientKey } from './signing-client.ts';
import { textsIn } from './texts-in.ts';

const parapet = fileURLToPath(new URL('../../dist/main/parapet.js', import.meta.url));
const shiftedClock = fileURLToPath(new URL('shifted-clock.cjs', import.meta.url));

/** A forwarder's folder: its configuration, secrets and spool. */
export class ForwarderHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'parapet-shield-'));
  readonly configuration = join(this.folder, 'shield.yaml');
  readonly spool = join(this.folder, 'spool');

  /** @param settings YAML besides the name, the service and the folder of the spool */
  constructor(options: {
    readonly url: string;
    readonly key: ClientKey;
    readonly settings: readonly string[];
    readonly spoolSize?: string;
    readonly heartbeat?: string;
  }) {
    mkdirSync(this.spool, { mode: 0o700 });
    const keyFile = this.store('key.json', JSON.stringify(options.key));
    const settings = [
      'name: edge',
      `service: { url: "${options.url}", key_file: "${keyFile}" }`,
      `spool: { folder: "${this.spool}", max_size: ${options.spoolSize ?? '64 MB'} }`,
      `heartbeat: ${options.heartbeat ?? '10s'}`,
      ...options.settings,
    ];
    writeFileSync(this.configuration, `${settings.join('\n')}\n`, { mode: 0o600 });
  }

  /** Writes a file that only its owner may read. @returns its path */
  store(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** YAML about CrowdSec, with its secrets in files. */
  static crowdsec({ url, machine, bouncerKey }: CrowdsecServer): string[] {
    return [
      'crowdsec:',
      `  url: ${url}`,
      `  machine: ${machine.id}`,
      `  machine_password_command: printf %s ${machine.password}`,
      `  bouncer_key_command: printf %s ${bouncerKey}`,
    ];
  }

  /** The text of every file in the spool. */
  spooled(): string {
    return textsIn(this.spool);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * `parapet-probe shield forward`, or another command of `parapet shield`, as built, as a separate process.
 *
 * @param aheadMs how far its clock is ahead
 */
export const startForwarder = (home: ForwarderHome, command = 'forward', aheadMs = 0) =>
  new ProbeProcess(home, {
    program: [
      process.execPath,
      '--require',
      shiftedClock,
      command === 'forward' ? builtProbe : parapet,
      'shield',
    ],
    env: { CLOCK_AHEAD_MS: String(aheadMs) },
    command,
  });
