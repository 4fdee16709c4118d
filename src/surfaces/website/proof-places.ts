import { urlAt } from '../../captures/url-at.ts';
import { parseWebsiteHost, startUrl } from './target.ts';

/** The name below the host whose TXT record must contain the token. */
export const challengeLabel = '_parapet-challenge';

/** The file on the source's own origin that must contain the token and nothing else. */
export const challengePath = '/.well-known/parapet-challenge.txt';

/**
 * The two places for the token, to show to people. One of them is sufficient. @throws TargetRefused for an invalid
 * host
 */
export function proofPlaces(host: string): { readonly record: string; readonly url: string } {
  const target = parseWebsiteHost(host);
  const start = startUrl(target, target.explicitHttp ? 'http' : 'https')!;
  return {
    record: `${challengeLabel}.${target.site.hostname}`,
    url: urlAt(start.origin, challengePath).href,
  };
}
