import type { Browser } from 'playwright-core';
import { median } from './median.ts';

/** Milliseconds until a page shows its content and responds to the keyboard. */
export interface PageTime {
  readonly page: string;
  /** With an empty browser cache: median and worst. */
  readonly cold: { readonly median: number; readonly worst: number };
  /** Total size of the page's API responses. */
  readonly kilobytes: number;
}

export interface PageVisit {
  /** The dashboard's URL. */
  readonly url: string;
  /** The session cookie as `name=value`. */
  readonly cookie: string;
  readonly organizationId: string;
}

export const pages = [
  'overview',
  'findings',
  'systems',
  'sources',
  'scans',
  'events',
  'controls',
  'evidence',
  'audit',
  'settings/keys',
  'settings/people',
  'settings/security',
];

/**
 * Runs in the page before its first script: resolves once there is a heading, nothing is loading, and the
 * main thread has been idle after that.
 */
const watch = `
  window.interactive = new Promise(resolve => {
    const check = () => {
      const ready = document.querySelector('main h1') && !document.querySelector('[aria-busy=true], .mantine-Skeleton-root');
      if (ready) setTimeout(() => resolve(performance.now()));
      else requestAnimationFrame(check);
    };
    check();
  });`;

const received = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.includes('/dashboard/api/'))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`;

/** Opens each page this many times, each time in a new browser context. */
export async function measurePages(
  browser: Browser,
  { url, cookie, organizationId }: PageVisit,
  rounds: number,
): Promise<PageTime[]> {
  const times: PageTime[] = [];
  for (const page of pages) {
    const milliseconds: number[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const [name, value] = cookie.split('=') as [string, string];
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
      await context.addInitScript(watch);
      const tab = await context.newPage();
      await tab.goto(`${url}/dashboard/o/${organizationId}/${page}`, { waitUntil: 'commit' });
      milliseconds.push(await tab.evaluate<number>('window.interactive'));
      bytes = await tab.evaluate<number>(received);
      await context.close();
    }
    times.push({
      page,
      cold: { median: median(milliseconds), worst: Math.max(...milliseconds) },
      kilobytes: bytes / 1000,
    });
  }
  return times;
}
