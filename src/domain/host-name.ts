import ipaddr from 'ipaddr.js';

/**
 * Normalizes a host to its name or IP address, without scheme, port and path. Scan limits per host depend on it. Text that is not a
 * host is only lowercased.
 */
export function hostNameOf(host: string): string {
  const [text = ''] = host
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[/\\]*/i, '')
    // Colons of a path are not those of an address.
    .split(/[/\\?#]/, 1);
  const bare = text.split(':').length > 2 && !text.includes('[') ? `[${text}]` : text;
  const url = `http://${bare}`;
  if (!URL.canParse(url)) return text.toLowerCase();
  const name = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
  return ipaddr.isValid(name) ? ipaddr.process(name).toString() : name;
}
