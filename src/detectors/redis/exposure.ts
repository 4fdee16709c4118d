import type { RedisCapture } from '../../captures/redis.ts';
import { isLoopback, type Reach } from '../reach.ts';
import { productOf } from './product.ts';

type Settings = Readonly<Record<string, string>>;

/** Addresses in `bind`. A `-` marks one that may be missing: https://redis.io/docs/latest/operate/oss_and_stack/management/config-file/ */
export const boundAddresses = ({ bind = '' }: Settings) =>
  bind
    .toLowerCase()
    .split(/[\s,]/)
    .filter(Boolean)
    .map(address => address.replace(/^-/, ''));

const everywhere = new Set(['*', '::*', '0.0.0.0', '::']);

/** Whether the server listens on all addresses of its machine. */
export function listensEverywhere(settings: Settings): boolean {
  const addresses = boundAddresses(settings);
  return addresses.length === 0 || addresses.some(address => everywhere.has(address));
}

/**
 * By the settings; without them, Parapet's own connection shows whether another machine reaches the server.
 *
 * @returns undefined if neither shows it
 */
export function reachOf({ settings, connection }: RedisCapture): Reach {
  if (connection.over === 'network') return 'network';
  if (!settings.assessed || settings.value.bind === undefined) return undefined;
  const { port, 'tls-port': tlsPort = '0' } = settings.value;
  if (port === '0' && tlsPort === '0') return 'none';
  const addresses = boundAddresses(settings.value);
  return addresses.length > 0 && addresses.every(isLoopback) ? 'loopback' : 'network';
}

/**
 * Whether protected mode keeps other machines out while the default user has no password. Before Redis 7.0, it does so only
 * without `bind`.
 */
export function isProtected({ settings, info, connection, anonymous }: RedisCapture): boolean {
  const answersOthers = connection.over === 'network' && anonymous.assessed && anonymous.value.accepted;
  if (answersOthers || !settings.assessed || settings.value['protected-mode'] !== 'yes') return false;
  const [major = 0] = productOf(info.assessed ? info.value : {}).compatible;
  return major >= 7 || boundAddresses(settings.value).length === 0;
}
