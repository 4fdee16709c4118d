import { noteOf, type Step } from '../remediation/step.ts';

const restart = 'Then restart the server.';

/** Settings for the configuration file, which a restart applies. */
export function settings(code: string, more: Partial<Step> = {}): Step {
  const { note, ...rest } = more;
  return { place: 'redis.file', code, ...rest, ...noteOf(restart, note) };
}

/** Commands that apply at once. */
export function commands(code: string, more: Partial<Step> = {}): Step {
  return { place: 'redis.cli', code, ...more };
}

const docs = 'https://redis.io/docs/latest/operate/oss_and_stack/management';
export const references = {
  security: `${docs}/security/`,
  acl: `${docs}/security/acl/`,
  tls: `${docs}/security/encryption/`,
  configuration: `${docs}/config/`,
  persistence: `${docs}/persistence/`,
  replication: `${docs}/replication/`,
  valkeyAcl: 'https://valkey.io/topics/acl/',
  valkeySecurity: 'https://valkey.io/topics/security/',
  valkeyTls: 'https://valkey.io/topics/encryption/',
} as const;
