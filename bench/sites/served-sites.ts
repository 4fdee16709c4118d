import { type LocalSite, siteKinds } from '../../test/support/local-sites.ts';
import { cpuSeconds } from '../processes/cpu-time.ts';
import { Forked } from '../processes/forked.ts';
import type { CollectCommand } from './collect.ts';
import type { Served, SitesToServe } from './serve.ts';

/** Sites in a process of their own. */
export interface ServedSites {
  readonly sites: readonly LocalSite[];
  readonly pid: number;
  /** CPU seconds that the sites have used so far. */
  cpuSeconds(): number;
  /** The paths that a look asks a site of each kind for. `look` is given one of each, which nobody has asked before. */
  pathsAskedBy(look: (sites: CollectCommand['sites']) => Promise<unknown>): Promise<Served['asked']>;
  close(): void;
}

/** Serves so many sites on loopback, each answer held back for so long. */
export async function serveSites(count: number, delayMs: number): Promise<ServedSites> {
  const server = new Forked<SitesToServe | null, Served>(new URL('./serve.ts', import.meta.url));
  const { sites } = await server.tell({ count, delayMs });
  return {
    sites,
    pid: server.pid,
    cpuSeconds: () => cpuSeconds(server.pid),
    pathsAskedBy: async look => {
      await look(siteKinds.map(kind => ({ url: sites.find(site => site.kind === kind)!.url, paths: [] })));
      return (await server.tell(null)).asked;
    },
    close: () => server.close(),
  };
}
