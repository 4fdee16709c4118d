import { readSecret } from '../../agent/secrets.ts';
import type { CrowdsecSettings } from '../forwarder-settings.ts';
import type { LocalApiOptions } from './local-api.ts';

/**
 * The address of the local API, with the configured login and key as they are now.
 *
 * @throws SecretMissing
 */
export async function readLogin({ url, machine, bouncerKey }: CrowdsecSettings): Promise<LocalApiOptions> {
  const login = machine && { machine: { id: machine.id, password: await readSecret(machine.password) } };
  const key = bouncerKey && { bouncerKey: await readSecret(bouncerKey) };
  return { url, ...login, ...key };
}
