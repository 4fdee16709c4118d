import { type LocalSite, type SiteKind, siteKinds, startLocalSites } from '../../test/support/local-sites.ts';
import { answerEach } from '../processes/forked.ts';

// The process of the sites, separate because their cost is not part of a scan.

export interface SitesToServe {
  readonly count: number;
  readonly delayMs: number;
}

/** The state of the served sites. */
export interface Served {
  readonly sites: readonly LocalSite[];
  /** The paths that were requested from sites of each kind, in order. */
  readonly requested: Readonly<Record<SiteKind, readonly string[]>>;
}

const requested = Object.fromEntries(siteKinds.map(kind => [kind, [] as string[]])) as Record<
  SiteKind,
  string[]
>;
let sites: readonly LocalSite[] = [];

/** Serves this many sites on command; otherwise returns the state. */
answerEach<SitesToServe | null, Served>(async command => {
  if (command !== null) {
    const onRequest = (kind: SiteKind, path: string) => void requested[kind].push(path);
    sites = (await startLocalSites(command.count, { delayMs: command.delayMs, onRequest })).sites;
  }
  return { sites, requested };
});
