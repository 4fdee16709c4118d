import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canTest } from './can-test.ts';
import { freePort, reachable } from './website.ts';

const hub = '/var/lib/crowdsec/hub';
const run = promisify(execFile);

interface LoggedRequest {
  readonly client: string;
  /** Default: GET. */
  readonly method?: string;
  readonly path: string;
  /** Default: 200 for `/`, otherwise 404. */
  readonly status?: number;
  readonly user?: string;
  readonly referrer?: string;
  readonly agent?: string;
}

/** Lines of an nginx's access log, now. */
export function accessLog(requests: readonly LoggedRequest[]): string {
  const [, day, month, rest] = /^\w+, (\d+) (\w+) (.+) GMT$/.exec(new Date().toUTCString())!;
  const time = `${day}/${month}/${rest!.replace(' ', ':')} +0000`;
  const lineOf = ({
    client,
    method = 'GET',
    path,
    user = '-',
    referrer = '-',
    agent = 'Mozilla/5.0',
    ...given
  }: LoggedRequest) => {
    const { status = path === '/' ? 200 : 404 } = given;
    return `${client} - ${user} [${time}] "${method} ${path} HTTP/1.1" ${status} 1 "${referrer}" "${agent}"\n`;
  };
  return requests.map(lineOf).join('');
}

/** Whether CrowdSec is installed; warns if not, since its tests are then skipped. */
export const hasCrowdsec = () =>
  canTest(
    existsSync('/usr/bin/crowdsec') && existsSync(hub),
    'CrowdSec is not installed; the tests against its local API do not run',
  );

export interface CrowdsecServer {
  readonly url: string;
  readonly machine: { readonly id: string; readonly password: string };
  readonly bouncerKey: string;
  /** Runs `cscli`, and returns its JSON. */
  cscli(...parameters: readonly string[]): Promise<string>;
  /** Reports this many alerts without decisions to the local API at once, as a machine does. */
  report(alerts: number): Promise<void>;
  /** Has CrowdSec read the access log of an nginx, and report what its scenarios find to the local API. */
  replay(accessLog: string): Promise<void>;
  close(): Promise<void>;
}

const [start_at, stop_at] = ['2026-11-26T09:11:20Z', '2026-11-26T09:11:22Z'];
const probing = {
  ...{ scenario: 'crowdsecurity/http-probing', scenario_hash: '', scenario_version: '0.2', simulated: false },
  ...{ message: '', capacity: 10, leakspeed: '10s', events_count: 11, start_at, stop_at, decisions: [] },
  events: [{ timestamp: stop_at, meta: [] }],
  source: { scope: 'Ip', value: '203.0.113.5', ip: '203.0.113.5' },
};

/** The local API of CrowdSec with an empty database, with Debian's scenarios and profiles. */
export async function startCrowdsec(): Promise<CrowdsecServer> {
  const folder = await mkdtemp(join(tmpdir(), 'crowdsec-'));
  const port = await freePort();
  const data = join(folder, 'data');
  await mkdir(data);
  // Lists of the scenarios; not the database of this machine.
  await cp('/usr/share/crowdsec/data', data, { recursive: true });
  const configuration = join(folder, 'config.yaml');
  const credentials = join(folder, 'local.yaml');
  await writeFile(
    configuration,
    JSON.stringify({
      common: { daemonize: false, log_media: 'stdout', log_level: 'error', working_dir: folder },
      config_paths: {
        ...{ config_dir: '/etc/crowdsec/', simulation_path: '/etc/crowdsec/simulation.yaml' },
        ...{ data_dir: data, hub_dir: hub, index_path: join(hub, '.index.json') },
        ...{ notification_dir: join(folder, 'notifications'), plugin_dir: join(folder, 'plugins') },
      },
      crowdsec_service: { acquisition_path: join(folder, 'acquis.yaml'), parser_routines: 1 },
      cscli: { output: 'json' },
      db_config: { type: 'sqlite', db_path: join(data, 'crowdsec.db'), use_wal: true },
      api: {
        client: { credentials_path: credentials },
        server: {
          ...{ log_level: 'error', listen_uri: `127.0.0.1:${port}` },
          ...{ profiles_path: '/etc/crowdsec/profiles.yaml', console_path: join(folder, 'console.yaml') },
        },
      },
      prometheus: { enabled: false },
    }),
  );
  await writeFile(credentials, '');
  await writeFile(join(folder, 'acquis.yaml'), '');
  const cscli = async (...parameters: readonly string[]) => {
    const command = ['-c', configuration, ...parameters];
    const attempt = () => run('/usr/bin/cscli', command, { cwd: folder, maxBuffer: 64_000_000 });
    // CrowdSec refuses a write while another program, such as its own log-in, uses its database.
    const isLocked = (error: Error) => error.message.includes('database is locked');
    for (let attempts = 1; attempts < 20; attempts++) {
      const result = await attempt().catch(error => (isLocked(error) ? undefined : Promise.reject(error)));
      if (result) return result.stdout;
    }
    return (await attempt()).stdout;
  };
  const url = `http://127.0.0.1:${port}`;
  const machine = { id: 'parapet', password: 'of-this-test' };
  const bouncerKey = 'key-of-this-test';
  await cscli(
    ...['machines', 'add', machine.id, '--password', machine.password, '--force'],
    ...['-u', url, '-f', credentials],
  );
  await cscli('bouncers', 'add', 'parapet', '-k', bouncerKey);
  const server = spawn('/usr/bin/crowdsec', ['-c', configuration, '-no-cs'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const exited = once(server, 'exit');
  await reachable(port);
  return {
    url,
    machine,
    bouncerKey,
    cscli,
    report: async alerts => {
      const headers = { 'content-type': 'application/json', 'user-agent': 'tests/v1.0.0' };
      const send = async (path: string, body: object, token = '') => {
        const request = { method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` } };
        const answer = await fetch(`${url}/v1/${path}`, { ...request, body: JSON.stringify(body) });
        if (!answer.ok) throw new Error(`CrowdSec answered with ${answer.status}: ${await answer.text()}`);
        return (await answer.json()) as { readonly token?: string };
      };
      const login = { machine_id: machine.id, password: machine.password };
      const { token } = await send('watchers/login', login);
      await send(
        'alerts',
        Array.from({ length: alerts }, () => probing),
        token,
      );
    },
    replay: async accessLog => {
      const file = join(folder, 'access.log');
      await writeFile(file, accessLog);
      const parameters = ['-c', configuration, '-no-api', '-dsn', `file://${file}`, '-type', 'nginx'];
      await run('/usr/bin/crowdsec', parameters, { cwd: folder, maxBuffer: 64_000_000 });
    },
    close: async () => {
      server.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
