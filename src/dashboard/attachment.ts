/**
 * Headers of a response that browsers save and never render or sniff. The filename is in both forms of RFC 6266; the plain
 * form replaces characters that are not ASCII.
 */
export function attachment(name: string, mediaType: string): Record<string, string> {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const charset = mediaType.startsWith('text/') ? '; charset=utf-8' : '';
  return {
    'content-type': `${mediaType}${charset}`,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  };
}
