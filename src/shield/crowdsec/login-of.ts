import { readSecret, SecretMissing } from '../../agent/secrets.ts';
import type { SecretSource } from '../../agent/settings.ts';
import type { CrowdsecSettings } from '../forwarder-settings.ts';
import type { LocalApiOptions } from './local-api.ts';

/**
 * The address of the local API, with the configured login and key, which may be replaced at any time.
 *
 * @param signal ends the commands that print them
 */
export function loginOf(
  { url, machine, bouncerKey }: CrowdsecSettings,
  signal?: AbortSignal,
): LocalApiOptions {
  const read = (what: string, source: SecretSource, make: string) =>
    readSecret(source, signal).catch(error => {
      if (!(error instanceof SecretMissing)) throw error;
      const set = 'env' in source ? ' Set the variable and restart the forwarder, or make' : ' Make';
      throw new SecretMissing(
        `${what} of CrowdSec: ${error.message}.${set} one with \`${make}\`, or remove crowdsec from the configuration`,
      );
    });
  const login = machine && {
    machine: {
      id: machine.id,
      password: () => read('the password', machine.password, `cscli machines add ${machine.id}`),
    },
  };
  const key = bouncerKey && {
    bouncerKey: () => read('the bouncer key', bouncerKey, 'cscli bouncers add parapet'),
  };
  return { url, ...login, ...key };
}
