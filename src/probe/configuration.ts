import { readFileSync } from 'node:fs';
import { type SourceKind, sourceKinds } from '../contract/sources.ts';
import { type Mistake, ProbeConfigurationError } from './configuration-error.ts';
import {
  absolutePath,
  durationBetween,
  hostOf,
  matching,
  network,
  oneOf,
  onOrOff,
  plainText,
  probeName,
  serviceUrl,
  sizeBetween,
  uuid,
} from './setting-forms.ts';
import { type Section, YamlReader } from './yaml-reader.ts';

/** Where a secret comes from. It is read each time it is needed, so that it can be rotated. */
export type SecretSource =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string };

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
  readonly login: TargetLogin;
  readonly everySeconds: number;
  /** CIDRs that redirects of a website may lead to, besides public addresses. */
  readonly networks: readonly string[];
}

export interface ProbeConfiguration {
  readonly name: string;
  readonly service: {
    /** Without a trailing slash. */
    readonly url: string;
    readonly brand: string;
    /** File with the key's three values as JSON; undefined if they are in the environment. */
    readonly keyFile: string | undefined;
    /** PEM file of certificate authorities to trust besides Node's. */
    readonly caFile: string | undefined;
  };
  readonly spool: {
    readonly folder: string;
    readonly maxBytes: number;
    readonly maxAgeSeconds: number;
  };
  readonly heartbeatSeconds: number;
  readonly reportsInventory: boolean;
  readonly targets: readonly Target[];
}

/**
 * Reads a configuration file.
 *
 * @throws ProbeConfigurationError that names every mistake with its line
 */
export function readConfiguration(file: string): ProbeConfiguration {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'does not exist: `parapet probe init` writes an example'
        : `cannot be read (${code})`;
    throw new ProbeConfigurationError(file, [{ line: 1, message: why }]);
  }
  return parseConfiguration(text, file);
}

/** The same for the file's text. */
export function parseConfiguration(text: string, file = 'probe.yaml'): ProbeConfiguration {
  const reader = new YamlReader(text);
  // A file that is not YAML has no settings to complain about.
  if (reader.mistakes.length > 0) throw new ProbeConfigurationError(file, reader.mistakes);
  const configuration = readRoot(reader.root, reader.mistakes);
  if (reader.mistakes.length > 0) throw new ProbeConfigurationError(file, reader.mistakes);
  return configuration;
}

const day = 86_400;
const mostTargets = 100;

/** Undefined values come with a mistake, so the result is used only if there is none. */
function readRoot(root: Section, mistakes: readonly Mistake[]): ProbeConfiguration {
  const name = root.required('name', probeName);
  const service = readService(root.section('service'));
  const spool = root.section('spool');
  const configuration = {
    name,
    service,
    spool: {
      folder: spool.optional('folder', absolutePath, '/var/lib/parapet-probe'),
      maxBytes: spool.optional('max_size', sizeBetween(256 * 1024, 10 * 1024 ** 3), 64 * 1024 * 1024),
      maxAgeSeconds: spool.optional('max_age', durationBetween(3_600, 90 * day), 14 * day),
    },
    heartbeatSeconds: root.optional('heartbeat', durationBetween(10, day), 60),
    reportsInventory: root.optional('inventory', onOrOff, true),
    targets: readTargets(root, mistakes),
  };
  spool.refuseOthers();
  root.refuseOthers();
  return configuration as ProbeConfiguration;
}

function readService(service: Section) {
  const allowsHttp = service.flag('allow_http');
  const url = service.required('url', serviceUrl(allowsHttp));
  const brand = service.optional(
    'brand',
    matching(/^[a-z][a-z0-9]{0,31}$/, 'must be lowercase letters and digits'),
    'service',
  );
  const keyFile = service.maybe('key_file', absolutePath);
  const caFile = service.maybe('ca_file', absolutePath);
  service.refuseOthers();
  return { url, brand, keyFile, caFile };
}

function readTargets(root: Section, mistakes: readonly Mistake[]): Target[] {
  const sections = root.sections('targets');
  if (sections.length === 0 && mistakes.length === 0) root.wrong('targets', 'must list at least one target');
  if (sections.length > mostTargets) root.wrong('targets', `must list at most ${mostTargets} targets`);
  const known = { name: new Set<string>(), source: new Set<string>() };
  return sections.slice(0, mostTargets).map(section => readTarget(section, known));
}

function readTarget(
  section: Section,
  known: { readonly name: Set<string>; readonly source: Set<string> },
): Target {
  const name = section.required('name', probeName);
  const kind = section.required('kind', oneOf(sourceKinds)) ?? 'website';
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
  const isDatabase = kind === 'postgres' || kind === 'mysql';
  const database = isDatabase ? section.maybe('database', plainText) : undefined;
  const tls = isDatabase ? section.optional('tls', onOrOff, true) : true;
  const networks = kind === 'website' ? section.texts('networks', network) : [];
  const login = readLogin(section, kind);
  section.refuseOthers();
  return { name, kind, sourceId, host, database, tls, login, everySeconds, networks } as Target;
}

function readLogin(section: Section, kind: SourceKind): TargetLogin {
  if (kind === 'supabase') {
    const key = secret(section, 'key', 'required');
    return { type: 'service_role', key: key!, anonKey: secret(section, 'anon_key') };
  }
  if (kind === 'website' && section.has('header')) {
    const name = section.required('header', plainText);
    return { type: 'header', name: name!, value: secret(section, 'header_value', 'required')! };
  }
  if (kind === 'website' && !section.has('user')) return { type: 'none' };
  const user = section.required('user', plainText);
  return { type: 'password', user: user!, password: secret(section, 'password', 'required')! };
}

const ways = ['env', 'file', 'command'] as const;

/** A secret by one of `<name>_env`, `<name>_file` and `<name>_command`. It is never written in the file itself. */
function secret(section: Section, name: string, isRequired?: 'required'): SecretSource | undefined {
  if (section.has(name)) {
    section.maybe(name, plainText);
    return section.wrong(name, `must not be in this file: use ${name}_env, ${name}_file or ${name}_command`);
  }
  const given = ways.filter(way => section.has(`${name}_${way}`));
  const read = {
    env: section.maybe(
      `${name}_env`,
      matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable'),
    ),
    file: section.maybe(`${name}_file`, absolutePath),
    command: section.maybe(`${name}_command`, plainText),
  };
  if (given.length > 1)
    return section.wrong(`${name}_${given[1]}`, `must not be used together with ${name}_${given[0]}`);
  const [way] = given;
  if (way === undefined) {
    return (
      isRequired &&
      section.wrong(`${name}_env`, `is missing: set ${name}_env, ${name}_file or ${name}_command`)
    );
  }
  return { [way]: read[way] } as unknown as SecretSource;
}
