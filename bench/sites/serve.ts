import { type LocalSite, type SiteKind, siteKinds, startLocalSites } from '../../test/support/local-sites.ts';
import { answerEach } from '../processes/forked.ts';

// The process of the sites: what they cost is not what a scan costs.

export interface SitesToServe {
  readonly count: number;
  readonly delayMs: number;
}

/** How it stands with the sites that are served. */
export interface Served {
  readonly sites: readonly LocalSite[];
  /** The paths that all sites of a kind were asked for, in order. */
  readonly asked: Readonly<Record<SiteKind, readonly string[]>>;
}

const asked = Object.fromEntries(siteKinds.map(kind => [kind, [] as string[]])) as Record<SiteKind, string[]>;
let sites: readonly LocalSite[] = [];

/** Serves so many sites when told, and else says how it stands. */
answerEach<SitesToServe | null, Served>(async command => {
  if (command !== null) {
    const onRequest = (kind: SiteKind, path: string) => void asked[kind].push(path);
    sites = (await startLocalSites(command.count, { delayMs: command.delayMs, onRequest })).sites;
  }
  return { sites, asked };
});
