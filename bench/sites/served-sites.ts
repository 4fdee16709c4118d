import { type LocalSite, siteKinds } from '../../test/support/local-sites.ts';
import { cpuSeconds } from '../processes/cpu-time.ts';
import { Forked } from '../processes/forked.ts';
import type { CollectCommand } from './collect.ts';
import type { Served, SitesToServe } from './serve.ts';

/** Sites in a separate process. */
export interface ServedSites {
  readonly sites: readonly LocalSite[];
  readonly pid: number;
  /** CPU seconds that the sites have used so far. */
  cpuSeconds(): number;
  /**
   * The paths that an inspection requests from a site of each kind. `inspect` gets one unused site of each
   * kind.
   */
  pathsRequestedBy(
    inspect: (sites: CollectCommand['sites']) => Promise<unknown>,
  ): Promise<Served['requested']>;
  close(): void;
}

/** Serves this many sites on loopback, with delayed responses. */
export async function serveSites(count: number, delayMs: number): Promise<ServedSites> {
  const server = new Forked<SitesToServe | null, Served>(new URL('./serve.ts', import.meta.url));
  const { sites } = await server.tell({ count, delayMs });
  return {
    sites,
    pid: server.pid,
    cpuSeconds: () => cpuSeconds(server.pid),
    pathsRequestedBy: async inspect => {
      await inspect(siteKinds.map(kind => ({ url: sites.find(site => site.kind === kind)!.url, paths: [] })));
      return (await server.tell(null)).requested;
    },
    close: () => server.close(),
  };
}
