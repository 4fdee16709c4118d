import ipaddr from 'ipaddr.js';

/**
 * The name or address of a source's host, in one spelling: without scheme, port and path. Scans of the same host are limited
 * by it, so that another spelling is no other host. What is no host stays as it is.
 */
export function hostNameOf(host: string): string {
  const text = host.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const bare = text.split(':').length > 2 && !text.includes('[') ? `[${text}]` : text;
  const url = `http://${bare}`;
  if (!URL.canParse(url)) return text.toLowerCase();
  const name = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
  return ipaddr.isValid(name) ? ipaddr.process(name).toString() : name;
}
