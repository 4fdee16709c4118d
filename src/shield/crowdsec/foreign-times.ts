import { hostname, networkInterfaces } from 'node:os';
import type { CrowdsecSettings } from '../forwarder-settings.ts';

/** Fields of events whose times are of CrowdSec's clock: none if its local API is on this machine. */
export function foreignTimes({ url }: Pick<CrowdsecSettings, 'url'>): readonly string[] {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const own = Object.values(networkInterfaces()).flatMap(one => one ?? []);
  const isHere =
    ['localhost', '::1', '::', '0.0.0.0', hostname().toLowerCase()].includes(host) ||
    host.startsWith('127.') ||
    own.some(({ address }) => address === host);
  return isHere ? [] : ['alerts'];
}
