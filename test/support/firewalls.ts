import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteRequest } from './attacks.ts';
import { canTest } from './can-test.ts';
import { poll } from './poll.ts';
import { freePort, httpServer, nginxTemporary, reachable } from './website.ts';

const ruleSet = '/usr/share/modsecurity-crs/rules';
const nginxModule = '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so';
const apacheModule = '/usr/lib/apache2/modules/mod_security2.so';

const has = (path: string, name: string) =>
  canTest(
    existsSync(path) && existsSync(ruleSet),
    `${path} or ${ruleSet} is not installed; the tests against a real ${name} do not run`,
  );
/** Whether they are installed; warn if not, since their tests are then skipped. */
export const hasModsecurity3 = () => has(nginxModule, 'ModSecurity 3');
export const hasModsecurity2 = () => has(apacheModule, 'ModSecurity 2');

export interface FirewallOptions {
  readonly mode?: 'On' | 'DetectionOnly';
  readonly log?: 'Serial' | 'Concurrent';
  /** Default: those of docs/shield.md. */
  readonly parts?: string;
}

/** A website behind a firewall with the OWASP Core Rule Set. */
export interface FirewalledSite {
  readonly port: number;
  readonly auditLog: string;
  /** Folder of a concurrent log. */
  readonly storage: string;
  /** The configuration with the firewall's directives. */
  readonly configuration: string;
  /** Has the server write to a new log after the old one was renamed. */
  reopen(): Promise<void>;
  /**
   * Ids of requests that the firewall's error log says it warned about, and that it denied. Waits until they are in the audit log too:
   * servers write it after they have answered.
   */
  logged(): Promise<{ readonly warned: ReadonlySet<string>; readonly denied: ReadonlySet<string> }>;
  close(): Promise<void>;
}

/** The recommended configuration of Debian with the lines of docs/shield.md. */
async function writeRules(folder: string, options: FirewallOptions): Promise<string> {
  const recommended = await readFile('/etc/modsecurity/modsecurity.conf-recommended', 'utf8');
  const own = {
    SecRuleEngine: options.mode ?? 'On',
    SecAuditLog: join(folder, 'audit.log'),
    SecAuditLogType: options.log ?? 'Serial',
    SecAuditLogParts: options.parts ?? 'ABFHZ',
    SecUnicodeMapFile: '/etc/modsecurity/unicode.mapping 20127',
    SecTmpDir: folder,
    SecDataDir: folder,
    // Not known to ModSecurity 3.
    SecRequestBodyInMemoryLimit: undefined,
  };
  const text = Object.entries(own).reduce(
    (lines, [name, value]) =>
      lines.replace(new RegExp(`^${name} .*$`, 'm'), value === undefined ? '' : `${name} ${value}`),
    recommended,
  );
  await mkdir(join(folder, 'records'));
  await chmod(join(folder, 'records'), 0o777);
  const file = join(folder, 'modsecurity.conf');
  // As ModSecurity recommends by now: Debian's denies all uploads of browsers.
  const boundary = /(MULTIPART_UNMATCHED_BOUNDARY) "!@eq 0"/;
  await writeFile(
    file,
    `${text.replace(boundary, '$1 "@eq 1"')}
SecAuditLogFormat JSON
SecAuditLogStorageDir ${join(folder, 'records')}
Include /etc/modsecurity/crs/crs-setup.conf
Include ${ruleSet}/*.conf
`,
  );
  return file;
}

/** A site that answers everything, and marks its answers. */
const site = () =>
  httpServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'x-site': 'yes' }).end('Hello'));
  });

async function serve(
  name: string,
  options: FirewallOptions,
  command: (given: {
    folder: string;
    port: number;
    behind: number;
    rules: string;
  }) => Promise<readonly [string, ...string[]]>,
  reopening: NodeJS.Signals | 'restart',
): Promise<FirewalledSite> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  await chmod(folder, 0o777);
  const [port, behind] = [await freePort(), await site()];
  const rules = await writeRules(folder, options);
  const [program, ...parameters] = await command({ folder, port, behind: behind.port, rules });
  let child: ChildProcess;
  let exited: Promise<unknown>;
  const start = async () => {
    const started = spawn(program, parameters, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let output = '';
    started.stderr.on('data', chunk => {
      output += chunk;
    });
    exited = once(started, 'exit');
    await Promise.race([
      reachable(port),
      exited.then(() => Promise.reject(new Error(`${program} ended: ${output}`))),
    ]);
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  await start();
  const auditLog = join(folder, 'audit.log');
  return {
    port,
    auditLog,
    storage: join(folder, 'records'),
    configuration: rules,
    reopen: async () => {
      if (reopening === 'restart') {
        await stop();
        await start();
      } else child.kill(reopening);
      await poll('the new log', () => existsSync(auditLog));
    },
    logged: async () => {
      const lines = (await readFile(join(folder, 'error.log'), 'utf8')).split('\n');
      const idsWith = (text: string) =>
        new Set(
          lines
            .filter(line => line.includes(text))
            .map(line => /\[unique_id "([^"]+)"\]/.exec(line)?.[1] ?? ''),
        );
      const ids = { warned: idsWith('ModSecurity: Warning.'), denied: idsWith('ModSecurity: Access denied') };
      await poll('the records of answered requests', async () => {
        const logs = (await readdir(folder)).filter(name => name.startsWith('audit.log'));
        const records = await Promise.all(logs.map(name => readFile(join(folder, name), 'utf8')));
        const text = records.join('');
        return [...ids.warned, ...ids.denied].every(id => text.includes(`_id":"${id}"`));
      });
      return ids;
    },
    close: async () => {
      await stop();
      await behind.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** nginx with ModSecurity 3. */
export function startModsecurity3(options: FirewallOptions = {}): Promise<FirewalledSite> {
  return serve(
    'modsecurity3',
    options,
    async ({ folder, port, behind, rules }) => {
      const file = join(folder, 'nginx.conf');
      // The error log has the warnings of ModSecurity at level info.
      await writeFile(
        file,
        `load_module ${nginxModule};
daemon off; worker_processes 2; pid ${folder}/nginx.pid; error_log ${folder}/error.log info;
${process.getuid?.() === 0 ? 'user nobody nogroup;' : ''}
events { worker_connections 64; }
http {
  access_log off; ${nginxTemporary(folder)}
  server {
    listen 127.0.0.1:${port};
    modsecurity on;
    modsecurity_rules_file ${rules};
    location / { proxy_pass http://127.0.0.1:${behind}; }
  }
}
`,
      );
      return ['/usr/sbin/nginx', '-p', folder, '-e', 'stderr', '-c', file];
    },
    // It keeps its audit log open when it reloads.
    'restart',
  );
}

const apacheModules = ['mpm_event', 'authz_core', 'unique_id', 'proxy', 'proxy_http'];

/** Apache with ModSecurity 2.9. */
export function startModsecurity2(options: FirewallOptions = {}): Promise<FirewalledSite> {
  return serve(
    'modsecurity2',
    options,
    async ({ folder, port, behind, rules }) => {
      const file = join(folder, 'apache2.conf');
      await writeFile(
        file,
        `${apacheModules.map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
LoadModule security2_module ${apacheModule}
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
User www-data
Group www-data
StartServers 1
MinSpareThreads 1
ThreadsPerChild 8
MaxRequestWorkers 8
ServerName www.example.com
Listen 127.0.0.1:${port}
Include ${rules}
ProxyPass / http://127.0.0.1:${behind}/
`,
      );
      return ['/usr/sbin/apache2', '-D', 'FOREGROUND', '-f', file];
    },
    'SIGUSR1',
  );
}

/**
 * Sends requests, eight at a time.
 *
 * @returns how many the site answered, how many the firewall answered instead, and how many the server refused itself
 */
export async function send(
  port: number,
  requests: readonly SiteRequest[],
  host = 'www.example.com',
): Promise<{ passed: number; refused: number; invalid: number }> {
  const counts = { passed: 0, refused: 0, invalid: 0 };
  const left = [...requests];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      counts[await outcomeOf(port, next, host)] += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return counts;
}

async function outcomeOf(
  port: number,
  given: SiteRequest,
  host: string,
): Promise<'passed' | 'refused' | 'invalid'> {
  const { method, path, body = '' } = given;
  const headers = {
    host,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
    accept: 'text/html',
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...given.headers,
  };
  const request = http.request({ host: '127.0.0.1', port, agent: false, method, path, headers });
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
  request.on('error', () => {}).end(body);
  const [response] = await answered;
  response.resume();
  await once(response, 'close');
  if (response.headers['x-site'] === 'yes') return 'passed';
  // Rules deny with these.
  return [400, 403].includes(response.statusCode ?? 0) ? 'refused' : 'invalid';
}
