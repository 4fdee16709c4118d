import { readSecret } from '../../agent/secrets.ts';
import type { CrowdsecSettings } from '../forwarder-settings.ts';
import type { LocalApiOptions } from './local-api.ts';

/** The address of the local API, with the configured login and key, which may be replaced at any time. */
export function loginOf({ url, machine, bouncerKey }: CrowdsecSettings): LocalApiOptions {
  const login = machine && { machine: { id: machine.id, password: () => readSecret(machine.password) } };
  const key = bouncerKey && { bouncerKey: () => readSecret(bouncerKey) };
  return { url, ...login, ...key };
}
