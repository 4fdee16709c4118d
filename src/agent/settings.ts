import { AgentConfigurationError } from './configuration-error.ts';
import {
  absolutePath,
  agentName,
  authorities,
  durationBetween,
  matching,
  plainText,
  proxyUrl,
  serviceUrl,
  sizeBetween,
} from './setting-forms.ts';
import { FileRefused, readTrustedFile } from './trusted-path.ts';
import { type Section, YamlReader } from './yaml-reader.ts';

/** Where a secret comes from. It is read each time it is needed, so that it can be rotated. */
export type SecretSource =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string };

/** The service and the key that an agent uses. */
export interface ServiceSettings {
  /** Without a trailing slash. */
  readonly url: string;
  readonly brand: string;
  /** File with the key's three values as JSON; undefined if they are in the environment. */
  readonly keyFile: string | undefined;
  /** PEM of certificate authorities to trust besides the public ones. */
  readonly authorities: string | undefined;
  /** URL of an HTTP proxy; undefined if the environment decides (`HTTPS_PROXY`, `NO_PROXY`). Never with an http URL. */
  readonly proxy: string | undefined;
}

/** Where events wait, and for how long. */
interface SpoolSettings {
  readonly folder: string;
  readonly maxBytes: number;
  readonly maxAgeSeconds: number;
}

/** What every agent is configured with. */
export interface AgentSettings {
  readonly name: string;
  readonly service: ServiceSettings;
  readonly spool: SpoolSettings;
  readonly heartbeatSeconds: number;
}

const day = 86_400;

/**
 * Reads the file of an agent. It names commands, so only root and this user may change it.
 *
 * @param read reads the settings; what it returns is used only if there are no mistakes
 * @throws AgentConfigurationError that names every mistake with its line, or why the file is not used
 */
export function readAgentFile<T>(file: string, program: string, read: (root: Section) => T): T {
  let text: string;
  try {
    text = readTrustedFile(file).toString('utf8');
  } catch (error) {
    throw new AgentConfigurationError(file, [{ line: null, message: whyUnreadable(error, program) }]);
  }
  return readAgentText(text, file, read);
}

function whyUnreadable(error: unknown, program: string): string {
  if (error instanceof FileRefused) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `does not exist: \`${program} init\` writes an example`;
  if (code === 'EACCES') return 'may not be read by this user: run this as its owner or as root';
  return `cannot be read (${code})`;
}

/** The same for the file's text. */
export function readAgentText<T>(text: string, file: string, read: (root: Section) => T): T {
  const reader = new YamlReader(text);
  // A file that is not YAML has no settings to complain about.
  if (reader.mistakes.length > 0) throw new AgentConfigurationError(file, reader.mistakes);
  const settings = read(reader.root);
  reader.root.refuseOthers();
  if (reader.mistakes.length > 0) throw new AgentConfigurationError(file, reader.mistakes);
  return settings;
}

/** Undefined values come with a mistake. @param folder default of the spool's folder */
export function readAgentSettings(root: Section, folder: string): AgentSettings {
  const name = root.required('name', agentName);
  const service = readService(root.section('service'));
  const spool = root.section('spool');
  const settings = {
    name,
    service,
    spool: {
      folder: spool.optional('folder', absolutePath, folder),
      maxBytes: spool.optional('max_size', sizeBetween(256 * 1024, 10 * 1024 ** 3), 64 * 1024 * 1024),
      maxAgeSeconds: spool.optional('max_age', durationBetween(3_600, 90 * day), 14 * day),
    },
    heartbeatSeconds: root.optional('heartbeat', durationBetween(10, day), 60),
  };
  spool.refuseOthers();
  return settings as AgentSettings;
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
  const trusted = service.maybe('ca_file', authorities);
  const proxy = service.maybe('proxy', proxyUrl);
  if (proxy !== undefined && url?.startsWith('http:'))
    service.wrong('proxy', 'must not be used with an http URL: the proxy would read the key');
  service.refuseOthers();
  return { url, brand, keyFile, authorities: trusted, proxy };
}

const ways = ['env', 'file', 'command'] as const;

/** A secret by one of `<name>_env`, `<name>_file` and `<name>_command`. It is never written in the file itself. */
export function readSecretSource(
  section: Section,
  name: string,
  isRequired?: 'required',
): SecretSource | undefined {
  const given = ways.filter(way => section.has(`${name}_${way}`));
  const read = {
    env: section.maybe(
      `${name}_env`,
      matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable'),
    ),
    file: section.maybe(`${name}_file`, absolutePath),
    command: section.maybe(`${name}_command`, plainText),
  };
  if (section.has(name)) {
    section.maybe(name, plainText);
    return section.wrong(name, `must not be in this file: use ${name}_env, ${name}_file or ${name}_command`);
  }
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
