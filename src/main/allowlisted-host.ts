import ipaddr from 'ipaddr.js';
import { hostNameOf } from '../domain/host-name.ts';
import { createAllowlist } from '../surfaces/connection/target-allowlist.ts';

/** Whether the operator's allow-list of targets has the host, which must be an address: what a name leads to may change. */
export function allowlistedHost(allowlist: readonly string[]): (host: string) => boolean {
  const isAllowlisted = createAllowlist(allowlist);
  return host => {
    const name = hostNameOf(host);
    return ipaddr.isValid(name) && isAllowlisted(name);
  };
}
