import type { RequestListener } from 'node:http';
import { parseAddress } from '../contract/address-ranges.ts';

const withPort = [/^([\d.]+):\d{1,5}$/, /^\[([^\]]+)\](?::\d{1,5})?$/];
/** Longer than any address with zone and port. */
const longestEntry = 100;
/** Maximum chained proxies: parsing thousands of entries would take longer than the request. */
const mostProxies = 20;

/**
 * Returns the client address of an `X-Forwarded-For` header, without port: the last address that is not a trusted proxy, or the first if
 * all are. Entries before an invalid one are ignored. Undefined if the last entry is invalid.
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

/** Reduces the header to the client address, and removes it from requests that do not come from a trusted proxy. */
export function readForwardedAddress(
  answer: RequestListener,
  isProxy: (address: string) => boolean,
): RequestListener {
  return (request, response) => {
    // Node joins repeated headers.
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
