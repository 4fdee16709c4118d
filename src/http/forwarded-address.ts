import type { RequestListener } from 'node:http';
import { parseAddress } from '../contract/address-ranges.ts';

const withPort = [/^([\d.]+):\d{1,5}$/, /^\[([^\]]+)\](?::\d{1,5})?$/];
/** Longer than any address with a zone and a port. */
const longestEntry = 100;
/** Proxies in a row. A header of 16 KB has thousands of entries, each of which takes longer to read than the request. */
const mostProxies = 20;

/**
 * The client of an `X-Forwarded-For` header, without the port that some proxies add: the last address that is no trusted proxy, or the
 * first of the proxies. What is no address, and all before it, is left out: the client is then the proxy that passed it on, and
 * undefined where that is the last.
 */
export function forwardedClient(header: string, isProxy: (address: string) => boolean): string | undefined {
  let client: string | undefined;
  let end = header.length;
  for (let entries = 0; entries < mostProxies && end >= 0; entries++) {
    const comma = end === 0 ? -1 : header.lastIndexOf(',', end - 1);
    const address = end - comma > longestEntry ? undefined : addressOf(header.slice(comma + 1, end).trim());
    if (address === undefined) break;
    client = address;
    if (!isProxy(address)) break;
    end = comma;
  }
  return client;
}

function addressOf(entry: string): string | undefined {
  const address = withPort.map(form => form.exec(entry)?.[1]).find(Boolean) ?? entry;
  return parseAddress(address) ? address : undefined;
}

/** Leaves all readers of the header the client alone, and nothing of what a client that is no proxy says. */
export function readForwardedAddress(
  answer: RequestListener,
  isProxy: (address: string) => boolean,
): RequestListener {
  return (request, response) => {
    // Of several headers, Node makes one.
    const header = request.headers['x-forwarded-for'] as string | undefined;
    if (header !== undefined) {
      const client = isProxy(request.socket.remoteAddress ?? '')
        ? forwardedClient(header, isProxy)
        : undefined;
      if (client === undefined) delete request.headers['x-forwarded-for'];
      else request.headers['x-forwarded-for'] = client;
    }
    answer(request, response);
  };
}
