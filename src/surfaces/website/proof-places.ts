import { parseWebsiteHost, startUrl } from './target.ts';

/** The name below the host that has to have a TXT record with the token. */
export const challengeLabel = '_parapet-challenge';

/** The file on the source's own origin that has to hold the token and nothing else. */
export const challengePath = '/.well-known/parapet-challenge.txt';

/** The two places of which one has to have the token, for people to read. @throws TargetRefused for a host that cannot be one. */
export function proofPlaces(host: string): { readonly record: string; readonly url: string } {
  const target = parseWebsiteHost(host);
  const start = startUrl(target, target.explicitHttp ? 'http' : 'https')!;
  return { record: `${challengeLabel}.${target.site.hostname}`, url: new URL(challengePath, start).href };
}
