import ipaddr from 'ipaddr.js';
import { hostNameOf } from '../domain/host-name.ts';
import { createAllowlist } from '../surfaces/connection/target-allowlist.ts';

/** Only IP addresses can be allowlisted: what a name resolves to may change. */
export function allowlistedHost(allowlist: readonly string[]): (host: string) => boolean {
  const isAllowlisted = createAllowlist(allowlist);
  return host => {
    const name = hostNameOf(host);
    return ipaddr.isValid(name) && isAllowlisted(name);
  };
}
