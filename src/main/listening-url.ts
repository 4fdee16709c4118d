import type { AddressInfo } from 'node:net';

/** The address at which a server of ours listens. */
export function listeningUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
