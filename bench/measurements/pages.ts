import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { median } from './median.ts';
import type { DashboardPage } from './page-list.ts';

const built = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/** A page as a browser loads it for the first time. */
export interface PageLoad {
  readonly page: DashboardPage;
  /** Below `/dashboard/api`, in the order in which the page sends them. */
  readonly requests: readonly string[];
  /** Of these, the longest chain in which each was sent after the one before had ended. */
  readonly levels: number;
  /** Of all scripts that loaded before the page showed its content, gzipped. */
  readonly scriptBytes: number;
  /** Of all responses to the page's requests, as transferred. */
  readonly dataBytes: number;
  readonly nodes: number;
  /** Median of the largest contentful paint in ms, on slow 4G with a CPU four times slower. */
  readonly lcp: number;
}

export interface Visitor {
  /** The dashboard's URL. */
  readonly url: string;
  /** The session cookie as `name=value`. */
  readonly cookie: string;
}

/**
 * Runs in the page before its first script: resolves once there is a heading, nothing is loading, and the
 * main thread has been idle after that.
 */
const watch = `
  window.interactive = new Promise(resolve => {
    const check = () => {
      const ready = document.querySelector('h1') && !document.querySelector('[aria-busy=true], .mantine-Skeleton-root, #early');
      if (ready) setTimeout(() => resolve(performance.now()));
      else requestAnimationFrame(check);
    };
    check();
  });
  new PerformanceObserver(list => { window.lcp = list.getEntries().at(-1).startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });`;

interface Resource {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

const resources = `performance.getEntriesByType('resource').map(one =>
  ({ name: one.name, start: one.startTime, end: one.responseEnd, bytes: one.encodedBodySize }))`;

const slow4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** Opens the page as often as asked, each time in a new browser context. */
export async function measurePage(
  browser: Browser,
  visitor: Visitor,
  page: DashboardPage,
  rounds: number,
): Promise<PageLoad> {
  const load = await visit(browser, visitor, page, false);
  const paints: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    paints.push((await visit(browser, visitor, page, true)).lcp);
  return { page, ...load, lcp: median(paints) };
}

/** A tab of a new browser context. @param script runs before the first one of the page */
export async function openTab(
  browser: Browser,
  { url, cookie }: Visitor,
  signedIn: boolean,
  script: string,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const [name, value] = cookie.split('=') as [string, string];
  if (signedIn) await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  await context.addInitScript(script);
  return context.newPage();
}

async function visit(browser: Browser, visitor: Visitor, page: DashboardPage, slow: boolean) {
  const tab = await openTab(browser, visitor, page.signedIn, watch);
  if (slow) await slowDown(tab);
  await tab.goto(`${visitor.url}/dashboard/${page.path}`, { waitUntil: 'commit' });
  const interactive = await tab.evaluate<number>('window.interactive');
  const loaded = await tab.evaluate<Resource[]>(resources);
  // Later paints of content that was not covered by a skeleton.
  await tab.waitForTimeout(slow ? 1_000 : 300);
  const all = await tab.evaluate<Resource[]>(resources);
  const lcp = await tab.evaluate<number>('window.lcp');
  const nodes = await tab.evaluate<number>("document.querySelectorAll('*').length");
  await tab.context().close();
  const calls = all.filter(({ name }) => name.includes('/dashboard/api/'));
  return {
    requests: calls.map(({ name }) => name.slice(name.indexOf('/dashboard/api') + 14)),
    levels: longestChain(calls),
    scriptBytes: scriptBytesOf(loaded.filter(({ end }) => end > 0 && end <= interactive)),
    dataBytes: calls.reduce((sum, { bytes }) => sum + bytes, 0),
    nodes,
    lcp,
  };
}

/** Like Lighthouse's mobile emulation. */
async function slowDown(tab: Page): Promise<void> {
  const session = await tab.context().newCDPSession(tab);
  await session.send('Network.emulateNetworkConditions', slow4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

function longestChain(calls: readonly Resource[]): number {
  const levels: number[] = [];
  for (const call of calls) {
    const before = calls.flatMap(({ end }, index) => (end <= call.start ? (levels[index] ?? 0) : 0));
    levels.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...levels);
}

function scriptBytesOf(loaded: readonly Resource[]): number {
  const names = loaded.flatMap(({ name }) => /\/dashboard\/(assets\/[^/]+\.js)$/.exec(name)?.[1] ?? []);
  return [...new Set(names)].reduce((sum, name) => sum + readFileSync(`${built}${name}.gz`).length, 0);
}
