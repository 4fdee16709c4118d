import {
  agentName,
  authorities,
  durationBetween,
  hostOf,
  network,
  oneOf,
  onOrOff,
  plainText,
  uuid,
} from '../agent/setting-forms.ts';
import {
  type AgentSettings,
  readAgentFile,
  readAgentSettings,
  readAgentText,
  readSecretSource,
  type SecretSource,
} from '../agent/settings.ts';
import type { Section } from '../agent/yaml-reader.ts';
import { probeBounds } from '../contract/probe-events.ts';
import { type SourceKind, sourceKinds } from '../contract/sources.ts';

/** How the probe signs in to a target. */
export type TargetLogin =
  | { readonly type: 'none' }
  | { readonly type: 'password'; readonly user: string; readonly password: SecretSource }
  | { readonly type: 'header'; readonly name: string; readonly value: SecretSource }
  | { readonly type: 'service_role'; readonly key: SecretSource; readonly anonKey: SecretSource | undefined };

/** A website or database that the probe assesses. */
export interface Target {
  readonly name: string;
  readonly kind: SourceKind;
  /** The id of its source. */
  readonly sourceId: string;
  /** Normalized. */
  readonly host: string;
  readonly database: string | undefined;
  /** TLS to a database: its certificate is always verified. */
  readonly tls: boolean;
  /** PEM of certificate authorities to trust besides the public ones. */
  readonly authorities: string | undefined;
  readonly login: TargetLogin;
  readonly everySeconds: number;
  /** CIDRs that redirects of a website may lead to, besides public addresses. */
  readonly networks: readonly string[];
}

export interface ProbeConfiguration extends AgentSettings {
  readonly reportsInventory: boolean;
  readonly targets: readonly Target[];
}

/**
 * Reads a configuration file.
 *
 * @param program how it is called, for messages
 * @throws AgentConfigurationError that names every mistake with its line
 */
export function readConfiguration(file: string, program: string): ProbeConfiguration {
  return readAgentFile(file, program, readRoot);
}

/** The same for the file's text. */
export function parseConfiguration(text: string, file = 'probe.yaml'): ProbeConfiguration {
  return readAgentText(text, file, readRoot);
}

const day = 86_400;
const mostTargets = probeBounds.targets;

/** Undefined values come with a mistake, so the result is used only if there is none. */
function readRoot(root: Section): ProbeConfiguration {
  return {
    ...readAgentSettings(root, '/var/lib/parapet-probe'),
    reportsInventory: root.optional('inventory', onOrOff, true) ?? true,
    targets: readTargets(root),
  };
}

function readTargets(root: Section): Target[] {
  const sections = root.sections('targets');
  if (!sections) return [];
  if (sections.length === 0) root.wrong('targets', 'must list at least one target');
  if (sections.length > mostTargets) root.wrong('targets', `must list at most ${mostTargets} targets`);
  const known = { name: new Set<string>(), source: new Set<string>() };
  return sections.slice(0, mostTargets).map(section => readTarget(section, known));
}

const secretsOfSomeKinds = ['password', 'header_value', 'key', 'anon_key'];
/** With an unknown kind, each of them may be right. */
const settingsOfSomeKinds = [
  ...['database', 'tls', 'networks', 'user', 'header'],
  ...secretsOfSomeKinds.flatMap(name => ['env', 'file', 'command'].map(way => `${name}_${way}`)),
];

function readTarget(
  section: Section,
  known: { readonly name: Set<string>; readonly source: Set<string> },
): Target {
  const name = section.required('name', agentName);
  const givenKind = section.required('kind', oneOf(sourceKinds, ' (MariaDB is mysql, Valkey is redis)'));
  const kind = givenKind ?? 'website';
  const sourceId = section.required('source', uuid);
  for (const [setting, value] of [
    ['name', name],
    ['source', sourceId],
  ] as const) {
    if (value !== undefined && known[setting].has(value)) section.wrong(setting, 'is used by another target');
    if (value !== undefined) known[setting].add(value);
  }
  const host = section.required('host', hostOf(kind));
  const everySeconds = section.optional('every', durationBetween(60, 30 * day), 3_600);
  const hasNamedDatabases = kind === 'postgres' || kind === 'mysql';
  const database = hasNamedDatabases ? section.maybe('database', plainText) : undefined;
  const tls = hasNamedDatabases || kind === 'redis' ? section.optional('tls', onOrOff, true) : true;
  const trusted = section.maybe('ca_file', authorities);
  const networks = kind === 'website' ? section.texts('networks', network) : [];
  const login = readLogin(section, kind);
  if (!givenKind) section.accept(settingsOfSomeKinds);
  section.refuseOthers();
  return {
    ...{ name, kind, sourceId, host, database, tls, authorities: trusted, login, everySeconds, networks },
  } as Target;
}

function readLogin(section: Section, kind: SourceKind): TargetLogin {
  if (kind === 'supabase') {
    const key = readSecretSource(section, 'key', 'required');
    return { type: 'service_role', key: key!, anonKey: readSecretSource(section, 'anon_key') };
  }
  if (kind === 'website' && section.has('header')) {
    const name = section.required('header', plainText);
    return { type: 'header', name: name!, value: readSecretSource(section, 'header_value', 'required')! };
  }
  if (kind === 'website' && !section.has('user')) return { type: 'none' };
  if (kind === 'redis' && !section.has('user')) {
    // The password is that of the default user. A server may need none.
    const password = readSecretSource(section, 'password');
    return password ? { type: 'password', user: '', password } : { type: 'none' };
  }
  const user = section.required('user', plainText);
  return { type: 'password', user: user!, password: readSecretSource(section, 'password', 'required')! };
}
