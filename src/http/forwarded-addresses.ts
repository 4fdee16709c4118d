import type { IncomingMessage, RequestListener } from 'node:http';
import { parseAddress } from '../contract/address-ranges.ts';

const withPort = [/^([\d.]+):\d{1,5}$/, /^\[([^\]]+)\](?::\d{1,5})?$/];

/**
 * The addresses of an `X-Forwarded-For` header, client first, without the ports that some proxies add. What is no address, and all
 * before it, is left out: the client's address is then that of the proxy that passed it on.
 */
export function forwardedAddresses(header: string): string[] {
  const entries = header.split(',').map(entry => addressOf(entry.trim()));
  return entries.slice(entries.lastIndexOf(undefined) + 1) as string[];
}

function addressOf(entry: string): string | undefined {
  const address = withPort.map(form => form.exec(entry)?.[1]).find(Boolean) ?? entry;
  return parseAddress(address) ? address : undefined;
}

/** Normalizes the header for all readers: an address with a port would be counted as a network of its own. */
export function readForwardedAddresses(answer: RequestListener): RequestListener {
  return (request, response) => {
    const header = forwardedFor(request);
    if (header !== undefined) {
      const addresses = forwardedAddresses(header);
      if (addresses.length > 0) request.headers['x-forwarded-for'] = addresses.join(', ');
      else delete request.headers['x-forwarded-for'];
    }
    answer(request, response);
  };
}

/** Of several headers, Node makes one. */
function forwardedFor({ headers }: IncomingMessage): string | undefined {
  return headers['x-forwarded-for'] as string | undefined;
}
