import { findDomainProof } from '../surfaces/website/domain-proof.ts';
import type { CollectionOptions } from './collect-evidence.ts';
import type { SourceToScan } from './source.ts';

/** How the token was published for the source's domain, or null. Only websites have a domain to prove. */
export async function proveDomain(
  source: SourceToScan,
  token: string,
  options: CollectionOptions,
): Promise<'dns_txt' | 'well_known_file' | null> {
  return source.kind === 'website' ? findDomainProof(source.host, token, options) : null;
}
