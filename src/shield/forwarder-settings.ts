import { absolutePath, matching, oneOf, plainText } from '../agent/setting-forms.ts';
import {
  type AgentSettings,
  readAgentFile,
  readAgentSettings,
  readAgentText,
  readSecretSource,
  type SecretSource,
} from '../agent/settings.ts';
import type { Section } from '../agent/yaml-reader.ts';
import { type AuditLogEngine, auditLogEngines } from './audit-logs/read-record.ts';
import type { StripOptions } from './strip/strip-request.ts';

/** An audit log that is followed. */
export interface LogSettings {
  readonly engine: AuditLogEngine;
  readonly path: string;
  /** Folder of a concurrent log. */
  readonly storage: string | undefined;
}

/** The local API of CrowdSec, with at least one of the logins. */
export interface CrowdsecSettings {
  readonly url: string;
  readonly machine: { readonly id: string; readonly password: SecretSource } | undefined;
  readonly bouncerKey: SecretSource | undefined;
}

export interface ForwarderSettings extends AgentSettings {
  readonly strip: StripOptions;
  readonly logs: readonly LogSettings[];
  readonly crowdsec: CrowdsecSettings | undefined;
  /** Where the file system with the firewall's configuration is. */
  readonly root: string;
}

/**
 * Reads a configuration file.
 *
 * @param command that writes one, such as `parapet shield`
 *
 * @throws AgentConfigurationError that names every mistake with its line
 */
export function readForwarderFile(file: string, command: string): ForwarderSettings {
  return readAgentFile(file, command, readRoot);
}

/** The same for the file's text. */
export function parseForwarderFile(text: string, file = 'shield.yaml'): ForwarderSettings {
  return readAgentText(text, file, readRoot);
}

function readRoot(root: Section): ForwarderSettings {
  const settings = readAgentSettings(root, '/var/lib/parapet-shield');
  const fileSystem = root.optional('root', absolutePath, '/') ?? '/';
  const clients = root.optional('clients', oneOf(['network', 'full', 'none']), 'network') ?? 'network';
  const hosts = root.texts('hosts', matching(/^[0-9a-z.:_-]{1,253}$/, 'must be host names in lowercase'));
  const sections = root.has('logs') ? root.sections('logs') : [];
  const engines = new Set<AuditLogEngine>();
  const logs = (sections ?? []).map(section => readLog(section, engines));
  const crowdsec = root.has('crowdsec') ? readCrowdsec(root.section('crowdsec')) : undefined;
  if (sections?.length === 0 && !root.has('crowdsec')) root.wrong('logs', 'or crowdsec is needed');
  return {
    ...settings,
    strip: { clients, ...(hosts.length > 0 ? { hosts } : {}) },
    logs,
    crowdsec,
    root: fileSystem,
  };
}

/** @param engines of the logs before: the service knows a firewall by its forwarder and engine */
function readLog(section: Section, engines: Set<AuditLogEngine>): LogSettings {
  const engine = section.required('engine', oneOf(auditLogEngines));
  if (engine !== undefined && engines.has(engine))
    section.wrong(
      'engine',
      'is that of another log: give each its own forwarder, with its own name and spool',
    );
  if (engine !== undefined) engines.add(engine);
  const path = section.required('path', absolutePath);
  const storage = section.maybe('storage', absolutePath);
  section.refuseOthers();
  return { engine, path, storage } as LogSettings;
}

function readCrowdsec(section: Section): CrowdsecSettings {
  const url = section.optional(
    'url',
    matching(/^https?:\/\/[0-9A-Za-z.:[\]_-]{1,255}$/, 'must be an http or https URL without a path'),
    'http://127.0.0.1:8080',
  );
  const id = section.maybe('machine', plainText);
  const password = id === undefined ? undefined : readSecretSource(section, 'machine_password', 'required');
  const bouncerKey = readSecretSource(section, 'bouncer_key');
  if (id === undefined && !bouncerKey) section.wrong('machine', 'or bouncer_key_file is needed');
  section.refuseOthers();
  const machine = id === undefined || !password ? undefined : { id, password };
  return { url: url ?? '', machine, bouncerKey };
}
