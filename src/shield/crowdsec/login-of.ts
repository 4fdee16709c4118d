import { readSecret } from '../../agent/secrets.ts';
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
  const login = machine && {
    machine: { id: machine.id, password: () => readSecret(machine.password, signal) },
  };
  const key = bouncerKey && { bouncerKey: () => readSecret(bouncerKey, signal) };
  return { url, ...login, ...key };
}
