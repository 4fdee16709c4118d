import type { HeaderList } from './website.ts';

/**
 * The media type without parameters, in lowercase; empty if browsers know none of them. Current browsers use the last of
 * several types, older ones the first, so the type of a page takes precedence.
 */
export function mediaTypeOf(headers: HeaderList): string {
  const values = headers.filter(([name]) => name === 'content-type').flatMap(([, value]) => value.split(','));
  const types = values
    .map(value => /^[^\s;(]*/.exec(value.trim())![0].toLowerCase())
    .filter(type => type.includes('/') && !sniffed.has(type));
  return types.find(type => type === 'text/html') ?? types.find(isXml) ?? types.at(-1) ?? '';
}

/** Whether documents of a media type are XML, XHTML included. */
export function isXml(type: string): boolean {
  return type === 'text/xml' || type === 'application/xml' || type.endsWith('+xml');
}

/** Types that browsers replace by sniffing (MIME Sniffing, 7). */
const sniffed = new Set(['*/*', 'unknown/unknown', 'application/unknown']);
