/**
 * Header fields that frame or route a message, that make a server answer without the page, or that a scan sets itself:
 * a credential in one of them would break the scan.
 */
const reserved = new Set([
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'expect', 'host', 'if-match'],
  ...['if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'keep-alive', 'origin'],
  ...['proxy-authorization', 'proxy-connection', 'range', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  'user-agent',
]);

export const isReservedHeader = (name: string) => reserved.has(name.toLowerCase());

/** A colon would separate name and password at the wrong place (RFC 7617, section 2). */
export const isBasicUsername = (username: string) => !username.includes(':');
