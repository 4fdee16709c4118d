import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import type { SourceKind } from '../../../src/contract/sources.ts';

/** A target of a probe's configuration. */
export interface BlockTarget {
  /** Unique within the probe; see `targetNames`. */
  readonly name: string;
  readonly kind: SourceKind;
  readonly sourceId: string;
  readonly host: string;
  /** Of a database. */
  readonly user: string;
  /** Of PostgreSQL. */
  readonly database: string;
  readonly tls: boolean;
}

/** A probe that was added in this page, with the secrets of its key. */
export interface Added {
  readonly name: string;
  readonly systemId: string;
  readonly targets: readonly BlockTarget[];
  readonly key: MintedApiKey;
}

interface Service {
  readonly serviceUrl: string;
  /** The word in the headers of signed requests. */
  readonly brand: string;
}

type Secrets = Pick<MintedApiKey, 'token' | 'token_id' | 'signing_key'>;

/** Ends the heredocs. No line of a file is equal to it, since every value is on one line with its name. */
const end = 'END_OF_FILE';

/** JSON in ASCII, which is YAML as well: on one line, whatever the text contains. */
const quoted = (text: string) =>
  JSON.stringify(text).replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The key file of a probe or a forwarder. */
export const keyFile = ({ token, token_id, signing_key }: Secrets) =>
  JSON.stringify({ token, token_id, signing_key }, null, 2);

/** Lowercase words with single hyphens, different from each other. */
export function targetNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    const words = name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .match(/[a-z0-9]+/g);
    const base = words?.join('-').slice(0, 59).replace(/-$/, '') || 'target';
    let unique = base;
    for (let number = 2; taken.has(unique); number++) unique = `${base}-${number}`;
    taken.add(unique);
    return unique;
  });
}

/** Whether the probe logs in with a user and a password. */
export const hasLogin = (kind: SourceKind) => kind === 'postgres' || kind === 'mysql' || kind === 'redis';

/** The environment variable from which the probe reads the secret of a target; undefined if it needs none. */
export function secretVariable({ name, kind }: Pick<BlockTarget, 'name' | 'kind'>): string | undefined {
  if (kind === 'website') return undefined;
  const words = name.toUpperCase().replaceAll('-', '_');
  return `PROBE_${words}_${kind === 'supabase' ? 'KEY' : 'PASSWORD'}`;
}

/** A target as an item of the list `targets`. */
export function targetYaml(target: BlockTarget): string {
  const { name, kind, sourceId, host, user, database, tls } = target;
  const variable = secretVariable(target);
  const settings: [name: string, value: string][] = [
    ['name', name],
    ['kind', kind],
    ['source', sourceId],
    ['host', host],
  ];
  if (hasLogin(kind)) {
    if (kind === 'postgres') settings.push(['database', database]);
    settings.push(['user', user], ['password_env', variable!], ['tls', tls ? 'on' : 'off']);
  }
  if (kind === 'supabase') settings.push(['key_env', variable!]);
  settings.push(['every', '1h']);
  return settings.map(([key, value], index) => `  ${index ? ' ' : '-'} ${key}: ${quoted(value)}`).join('\n');
}

/** The settings of this service below `service`, in the configuration of a probe or a forwarder. */
export const serviceYaml = ({ serviceUrl, brand }: Service): string =>
  [`  url: ${quoted(serviceUrl)}`, ...(brand === 'service' ? [] : [`  brand: ${quoted(brand)}`])].join('\n');

/** Shell commands that write the files of a new probe and start it. They contain its key, but no other secret. */
export function startBlock(
  {
    name,
    targets,
    key,
  }: { readonly name: string; readonly targets: readonly BlockTarget[]; readonly key: Secrets },
  service: Service,
): string {
  return [
    '(',
    'dir=/etc/parapet',
    'spool=/var/lib/parapet-probe',
    "command -v parapet-probe > /dev/null || { echo 'parapet-probe is not in PATH: copy it to /usr/local/bin, for example' >&2; exit 1; }",
    'set -eu; umask 077; mkdir -p "$dir" "$spool"',
    `cat > "$dir/probe-key.json" <<'${end}'`,
    keyFile(key),
    end,
    'chmod 600 "$dir/probe-key.json"',
    `printf 'spool:\\n  folder: "%s"\\nservice:\\n  key_file: "%s/probe-key.json"\\n' "$spool" "$dir" > "$dir/probe.yaml"`,
    `cat >> "$dir/probe.yaml" <<'${end}'`,
    serviceYaml(service),
    `name: ${quoted(name)}`,
    'targets:',
    ...targets.map(targetYaml),
    end,
    'parapet-probe check --config "$dir/probe.yaml" > /dev/null',
    'parapet-probe run --config "$dir/probe.yaml"',
    ')',
  ].join('\n');
}

/**
 * Shell commands that replace the key file, with the owner and mode of the old one. A running probe notices, unless it reads a
 * copy, as systemd's credentials are.
 */
export function rotateBlock(key: Secrets): string {
  return [
    '(',
    'dir=/etc/parapet',
    'set -eu',
    'cp -p "$dir/probe-key.json" "$dir/probe-key.json.new"',
    `cat > "$dir/probe-key.json.new" <<'${end}'`,
    keyFile(key),
    end,
    'mv "$dir/probe-key.json.new" "$dir/probe-key.json"',
    ')',
  ].join('\n');
}
