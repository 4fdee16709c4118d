import { dirname } from 'node:path';
import type { FirewallMode } from '../../contract/shield-events.ts';
import { ruleSetOf } from '../audit-logs/json-fields.ts';
import type { AuditLogEngine } from '../audit-logs/read-record.ts';
import type { RuleBook } from '../rule-book.ts';
import type { ConfigurationFiles } from './configuration-files.ts';
import { type Directives, lastOf, readDirectives } from './read-directives.ts';

/** A firewall with an audit log, as it is configured. */
export interface FoundFirewall {
  readonly engine: AuditLogEngine;
  readonly server: 'nginx' | 'apache' | 'caddy';
  readonly mode: FirewallMode;
  readonly auditLog: {
    readonly path: string;
    readonly format: 'json' | 'native';
    /** Folder of a concurrent log; null for a serial one. */
    readonly storage: string | null;
  } | null;
  readonly ruleSet: { readonly name: string; readonly version: string | null } | null;
  readonly book: RuleBook;
  /** What the log requires; empty if it can be read as it is. */
  readonly changes: readonly ConfigurationChange[];
}

/** A line that has to be in a file. */
interface ConfigurationChange {
  readonly file: string;
  /** The line that it replaces; null if there is none. */
  readonly present: string | null;
  readonly line: string;
}

/** CrowdSec with its local API. */
export interface FoundCrowdsec {
  readonly engine: 'crowdsec';
  /** Origin of the local API. */
  readonly api: string;
}

/** Where the configuration of a firewall begins. */
export const configurationPlaces = {
  modsecurity3: ['/etc/nginx/nginx.conf'],
  modsecurity2: ['/etc/apache2/apache2.conf', '/etc/httpd/conf/httpd.conf'],
  coraza: ['/etc/caddy/Caddyfile'],
} as const satisfies Record<AuditLogEngine, readonly string[]>;

/** Finds firewalls by their configuration. Nothing but configuration files is read. */
export async function findFirewalls(files: ConfigurationFiles): Promise<(FoundFirewall | FoundCrowdsec)[]> {
  const found = [
    await findNginx(files),
    await findApache(files),
    await findCaddy(files),
    await findCrowdsec(files),
  ];
  return found.filter(one => one !== undefined);
}

async function findNginx(files: ConfigurationFiles): Promise<FoundFirewall | undefined> {
  const starts: { file: string; text?: string }[] = [];
  const visited = new Set<string>();
  let isOn = false;
  const visit = async (file: string): Promise<void> => {
    if (visited.has(file)) return;
    visited.add(file);
    const text = (await files.read(file))?.replace(/^[ \t]*#.*$/gm, '') ?? '';
    isOn ||= /\bmodsecurity\s+on\s*;/.test(text);
    for (const [, name] of text.matchAll(/\bmodsecurity_rules_file\s+["']?([^\s;"']+)/g)) {
      for (const path of await files.matching(name!, '/etc/nginx')) starts.push({ file: path });
    }
    for (const [, quote, rules] of text.matchAll(/\bmodsecurity_rules\s+(?:'([^']*)'|"([^"]*)")/g)) {
      starts.push({ file, text: quote ?? rules ?? '' });
    }
    for (const [, pattern] of text.matchAll(/\binclude\s+["']?([^\s;"']+)/g)) {
      for (const path of await files.matching(pattern!, '/etc/nginx')) await visit(path);
    }
  };
  await visit(configurationPlaces.modsecurity3[0]);
  if (starts.length === 0) return undefined;
  return describeFirewall(
    'modsecurity3',
    'nginx',
    await readDirectives(files, starts),
    starts[0]!.file,
    isOn,
  );
}

async function findApache(files: ConfigurationFiles): Promise<FoundFirewall | undefined> {
  for (const file of configurationPlaces.modsecurity2) {
    if (!(await files.exists(file))) continue;
    const base = file.startsWith('/etc/httpd') ? '/etc/httpd' : dirname(file);
    const directives = await readDirectives(files, [{ file }], base);
    const isLoaded = directives.all.some(
      ({ name, value }) => name === 'loadmodule' && value.startsWith('security2_module'),
    );
    if (!isLoaded) continue;
    return describeFirewall('modsecurity2', 'apache', directives, '/etc/modsecurity/modsecurity.conf', true);
  }
  return undefined;
}

async function findCaddy(files: ConfigurationFiles): Promise<FoundFirewall | undefined> {
  const [file] = configurationPlaces.coraza;
  const text = await files.read(file);
  if (text === undefined || !/^[ \t]*coraza_waf\b/m.test(text)) return undefined;
  return describeFirewall('coraza', 'caddy', await readDirectives(files, [{ file, text }]), file, true);
}

async function findCrowdsec(files: ConfigurationFiles): Promise<FoundCrowdsec | undefined> {
  const texts = [
    await files.read('/etc/crowdsec/config.yaml.local'),
    await files.read('/etc/crowdsec/config.yaml'),
  ];
  if (texts.every(text => text === undefined)) return undefined;
  const uris = texts.map(text => /^[ \t]+listen_uri:[ \t]*["']?([\w.:[\]-]{1,300})/m.exec(text ?? '')?.[1]);
  return { engine: 'crowdsec', api: `http://${uris.find(uri => uri !== undefined) ?? '127.0.0.1:8080'}` };
}

const modes: Readonly<Record<string, FirewallMode>> = {
  on: 'block',
  detectiononly: 'detect_only',
  off: 'off',
};

function describeFirewall(
  engine: AuditLogEngine,
  server: FoundFirewall['server'],
  directives: Directives,
  main: string,
  isOn: boolean,
): FoundFirewall {
  const settingOf = (name: string) => lastOf(directives, name)?.value;
  const path = settingOf('SecAuditLog');
  const isConcurrent = /^concurrent$/i.test(settingOf('SecAuditLogType') ?? '');
  // Without one, ModSecurity is off.
  const mode = modes[(settingOf('SecRuleEngine') ?? 'off').toLowerCase()] ?? 'unknown';
  return {
    engine,
    server,
    mode: isOn ? mode : 'off',
    auditLog: path?.startsWith('/')
      ? {
          path,
          format: /^json$/i.test(settingOf('SecAuditLogFormat') ?? '') ? 'json' : 'native',
          storage: isConcurrent ? (settingOf('SecAuditLogStorageDir') ?? null) : null,
        }
      : null,
    ruleSet: ruleSetOf(settingOf('SecComponentSignature')),
    book: directives.book,
    changes: changesOf(directives, main, server),
  };
}

/**
 * Directives that the log requires, with what they must be. Missing ones belong to the file that turns the firewall on.
 *
 * @param main the file if none does
 */
function changesOf(
  directives: Directives,
  main: string,
  server: FoundFirewall['server'],
): ConfigurationChange[] {
  // Apache logs the status of answers only with their headers.
  const parts = server === 'apache' ? 'ABFHZ' : 'ABHZ';
  const wanted: readonly (readonly [string, (value: string) => boolean, string])[] = [
    ['SecRuleEngine', () => true, 'DetectionOnly'],
    ['SecAuditEngine', value => /^(?:on|relevantonly)$/i.test(value), 'RelevantOnly'],
    ['SecAuditLogFormat', value => /^json$/i.test(value), 'JSON'],
    ['SecAuditLogParts', value => [...parts].every(part => value.includes(part)), parts],
    ['SecAuditLogType', value => /^(?:serial|concurrent)$/i.test(value), 'Serial'],
    [
      'SecAuditLog',
      value => value.startsWith('/'),
      `/var/log/${server === 'apache' ? 'apache2' : server}/modsec_audit.log`,
    ],
  ];
  return wanted.flatMap(([name, isRight, value]): ConfigurationChange[] => {
    const present = lastOf(directives, name);
    if (present !== undefined && isRight(present.value)) return [];
    const line = `${name} ${value}`;
    if (present === undefined) {
      return [{ file: lastOf(directives, 'SecRuleEngine')?.file ?? main, present: null, line }];
    }
    return [{ file: present.file, present: `${name} ${present.value}`, line }];
  });
}
