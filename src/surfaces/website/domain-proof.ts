import { promises as dns } from 'node:dns';
import { urlAt } from '../../captures/url-at.ts';
import type { Proof } from './proof-coverage.ts';
import { challengeLabel, challengePath } from './proof-places.ts';
import { openSession, type Session, type WebsiteOptions } from './session.ts';
import { parseWebsiteHost, startUrl } from './target.ts';

/** Returns the TXT records of exactly this name, each as its strings; rejects if it has none. */
type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

const resolveTxtBySystem: ResolveTxt = name =>
  new dns.Resolver({ timeout: 2_000, tries: 1 }).resolveTxt(name);

interface ProofOptions extends Pick<WebsiteOptions, 'guard' | 'signal' | 'userAgent' | 'trustedRoots'> {
  readonly resolveTxt?: ResolveTxt;
}

/**
 * Whether the website's owner published the token: as a TXT record of `_parapet-challenge.<host>`, or as the file
 * `/.well-known/parapet-challenge.txt`. Redirects are not followed, since they may lead to a place where others can
 * publish.
 *
 * @returns where it was found, or null if it is in neither place or neither could be read
 * @throws TargetRefused if the guard refuses the host; the signal's reason if aborted
 */
export async function findDomainProof(
  host: string,
  token: string,
  options: ProofOptions,
): Promise<Proof | null> {
  const { resolveTxt = resolveTxtBySystem, ...website } = options;
  const { hostname } = parseWebsiteHost(host).site;
  // The guard is first: a name that points to a private address is not queried.
  const pinned = await options.guard.pin(hostname, options.signal);
  const inDns = !pinned.isAddress && (await isInDns(pinned.hostname, token, resolveTxt));
  // Even if the record exists: it covers less of the host than both together.
  for (const { address } of pinned.addresses) {
    const proof: Proof = { by: 'well_known_file', address };
    if (await isInFile(openSession(host, { ...website, proof }), token)) {
      return inDns ? { by: 'dns_txt', address } : proof;
    }
    if (!inDns) options.signal.throwIfAborted();
  }
  return inDns ? { by: 'dns_txt' } : null;
}

async function isInDns(hostname: string, token: string, resolveTxt: ResolveTxt): Promise<boolean> {
  const records = await resolveTxt(`${challengeLabel}.${hostname}`).catch(() => []);
  return records.some(strings => strings.join('') === token);
}

async function isInFile({ client, target }: Session, token: string): Promise<boolean> {
  const start = startUrl(target, target.explicitHttp ? 'http' : 'https');
  // A file of another host is no proof of this one.
  if (start === null || parseWebsiteHost(start.href).site.hostname !== target.site.hostname) return false;
  try {
    const { status, body } = await client.request(urlAt(start.origin, challengePath), {
      depth: 'safe',
      readLimit: 4096,
      keepLimit: 256,
      encoding: 'latin1',
      requireTrusted: start.protocol === 'https:',
    });
    return status === 200 && body.trim() === token;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
