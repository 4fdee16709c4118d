import { promises as dns } from 'node:dns';
import type { Proof } from './proof-coverage.ts';
import { challengeLabel, challengePath } from './proof-places.ts';
import { openSession, type Session, type WebsiteOptions } from './session.ts';
import { parseWebsiteHost, startUrl } from './target.ts';

/** Returns the TXT records of exactly one name, each as its strings; rejects when it has none. */
type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

const resolveTxtBySystem: ResolveTxt = name =>
  new dns.Resolver({ timeout: 2_000, tries: 1 }).resolveTxt(name);

interface ProofOptions extends Pick<WebsiteOptions, 'guard' | 'signal' | 'userAgent' | 'trustedRoots'> {
  readonly resolveTxt?: ResolveTxt;
}

/**
 * Whether the token was published by who controls the website: as a TXT record of `_parapet-challenge.<host>`, or as
 * the file `/.well-known/parapet-challenge.txt`. No redirect is followed, since it may lead to where others publish.
 *
 * @returns how it was found, or null when it is in neither place or neither could be read.
 * @throws TargetRefused when the guard refuses the host; the signal's reason when aborted.
 */
export async function findDomainProof(
  host: string,
  token: string,
  options: ProofOptions,
): Promise<Proof | null> {
  const { resolveTxt = resolveTxtBySystem, ...website } = options;
  const { hostname } = parseWebsiteHost(host).site;
  // The guard first: nothing is asked about a name that points inside.
  const pinned = await options.guard.pin(hostname, options.signal);
  const inDns = !pinned.isAddress && (await isInDns(pinned.hostname, token, resolveTxt));
  // Also where the record is there: it covers less of the host than both together.
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
  if (start === null) return false;
  try {
    const { status, body } = await client.request(new URL(challengePath, start), {
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
