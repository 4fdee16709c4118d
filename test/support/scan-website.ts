import dns from 'node:dns/promises';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { createTargetGuard } from '../../src/surfaces/connection/target-guard.ts';
import { collectWebsite } from '../../src/surfaces/website/collect.ts';
import type { WebsiteOptions } from '../../src/surfaces/website/session.ts';
import { testAuthority } from './certificates.ts';
import { type LiveScan, liveScan } from './live-scan.ts';
import { type NameAnswer, startNameServer } from './name-server.ts';

/** Trusted by `scanWebsite`. */
export const authority = testAuthority();

/** Resolves every name to this machine: HSTS and certificates apply to names. */
const guard = createTargetGuard({ allowlist: ['127.0.0.1'], resolve: () => Promise.resolve(['127.0.0.1']) });

export interface WebsiteScanOptions extends Partial<WebsiteOptions> {
  /** The time of the scan for the detectors, if not now. */
  readonly at?: Date;
}

/**
 * Captures a website on loopback and runs every detector of the scan's depth on it.
 *
 * @param records the name server's records, including CAA
 */
export async function scanWebsite(
  host: string,
  records: Readonly<Record<string, NameAnswer>>,
  { at, ...options }: WebsiteScanOptions = {},
): Promise<LiveScan> {
  const nameServer = await startNameServer(records);
  const resolver = new dns.Resolver();
  resolver.setServers([nameServer.address]);
  try {
    const capture = await collectWebsite(host, {
      guard,
      signal: AbortSignal.timeout(30_000),
      trustedRoots: [authority.root],
      resolveCaa: async name => (await resolver.resolveCaa(name)).map(record => ({ ...record })),
      nameServers: [nameServer.address],
      ...options,
    });
    const when = at === undefined ? {} : { collected_at: at.toISOString() };
    const detectors = detectorsFor('website').filter(
      ({ depth }) => depth !== 'full' || options.depth === 'full',
    );
    return liveScan(detectors, { ...capture, ...when });
  } finally {
    await nameServer.close();
  }
}
