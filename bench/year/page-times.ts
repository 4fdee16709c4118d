import type { Browser } from 'playwright-core';
import { addPerson } from '../../test/support/people.ts';
import type { Postgres } from '../fixture/postgres.ts';
import { median } from '../measurements/median.ts';
import { type DashboardPage, listPages } from '../measurements/page-list.ts';
import { type RequestTime, shapeOf, timeRequest } from '../measurements/page-requests.ts';
import { measurePage, type Visitor } from '../measurements/pages.ts';
import { type Server, startProduct } from '../servers/start.ts';
import type { YearOrganization } from './organization.ts';

/** How long a request takes, by organization. */
interface Times {
  /** The median. */
  readonly milliseconds: readonly number[];
  /** Of service and PostgreSQL, which other work on the machine changes less. */
  readonly cpuMilliseconds: readonly number[];
}

/** A request of pages. */
export interface PageTime extends Times {
  /** The pages that send it. */
  readonly pages: readonly string[];
  readonly request: string;
}

/** A request may take this many times as long as after a day. */
export const mostGrowth = 1.3;

/** How many times as much the second one is. */
export const timesOf = ([before, after]: readonly number[]) => after! / before!;

/** How many times as much it takes: the lower of time and CPU, since only a request that needs more work needs more of both. */
export const growthOf = ({ milliseconds, cpuMilliseconds }: Times) =>
  Math.min(timesOf(milliseconds), timesOf(cpuMilliseconds));

interface Visited {
  readonly server: Server;
  readonly visitor: Visitor;
  readonly pages: readonly DashboardPage[];
}

interface PageOptions {
  readonly masterKey: string;
  readonly rounds: number;
  /** Only these pages, if given. */
  readonly names?: readonly string[];
}

/**
 * Opens every page of the last organization in a browser, and times the requests that they send, with the objects of each organization: in
 * turns, so that whatever else the machine does concerns all alike.
 */
export async function timePages(
  postgres: Postgres,
  browser: Browser,
  organizations: readonly YearOrganization[],
  { masterKey, rounds, names }: PageOptions,
): Promise<PageTime[]> {
  const visited: Visited[] = [];
  try {
    for (const organization of organizations)
      visited.push(await prepare(postgres, organization, masterKey, names));
    const last = visited.at(-1)!;
    const requests = new Map<string, { path: string; pages: string[] }>();
    for (const page of last.pages) {
      for (const path of (await measurePage(browser, last.visitor, page, 0)).requests) {
        const { pages = [] } = requests.get(shapeOf(path)) ?? {};
        requests.set(shapeOf(path), { path, pages: [...pages, page.name] });
      }
    }
    const times: PageTime[] = [];
    for (const [request, { path, pages }] of requests) {
      const paths = visited.map(each => withObjectsOf(each, last, path));
      if (paths.includes(undefined)) throw new Error(`${path} is of an object that no page is of`);
      const measure = () => timeInTurns(visited, paths as string[], rounds, postgres.postmaster);
      let measured = await measure();
      // Whatever else the machine did meanwhile is not what makes it slower each time.
      for (let again = 0; again < 2 && growthOf(measured) > mostGrowth; again++) {
        const other = await measure();
        if (growthOf(other) < growthOf(measured)) measured = other;
      }
      times.push({ pages, request, ...measured });
    }
    return times;
  } finally {
    for (const { server } of visited) await server.stop();
  }
}

async function timeInTurns(
  visited: readonly Visited[],
  paths: readonly string[],
  rounds: number,
  postmaster: number,
): Promise<Times> {
  const timed = visited.map((): RequestTime[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, { server, visitor }] of visited.entries())
      timed[index]!.push(await timeRequest(visitor, paths[index]!, 15, { server: server.pid, postmaster }));
  return {
    milliseconds: timed.map(all => median(all.map(({ p50 }) => p50))),
    cpuMilliseconds: timed.map(all => mean(all.map(({ server, postgres }) => server + postgres))),
  };
}

async function prepare(
  { directory }: Postgres,
  { id, database, owner, storage }: YearOrganization,
  masterKey: string,
  names: readonly string[] | undefined,
): Promise<Visited> {
  const name = `pages-${database.connection.database}`;
  const server = await startProduct({ name, directory, databaseUrl: database.url, masterKey });
  const url = `http://localhost:${server.port}`;
  const person = await addPerson({ url, storage }, id, 'owner');
  // Without probes and Shield, there are no pages of one.
  const pages = (await listPages(owner, id)).filter(
    page => page.signedIn && !page.path.includes('/null') && (names?.includes(page.name) ?? true),
  );
  return { server, visitor: { url, cookie: person.client.cookie! }, pages };
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** The path with the ids of the same page of another organization; undefined if it has others. */
function withObjectsOf(to: Visited, from: Visited, path: string): string | undefined {
  const idsOf = ({ pages }: Visited) => pages.flatMap(page => page.path.match(ids) ?? []);
  const known = new Map(idsOf(from).map((id, index) => [id, idsOf(to)[index]!]));
  if ((path.match(ids) ?? []).some(id => !known.has(id))) return undefined;
  return path.replace(ids, id => known.get(id)!);
}
