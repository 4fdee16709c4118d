import type { Browser, Page } from 'playwright-core';
import { median } from './median.ts';
import { openTab, type Visitor } from './pages.ts';

/** How long a page with many loaded rows takes to show the effect of a key. */
export interface Interaction {
  readonly name: string;
  /** From the event to the second animation frame, in ms. */
  readonly median: number;
  readonly worst: number;
}

export interface Interactions {
  /** Rows that are loaded. */
  readonly rows: number;
  readonly nodes: number;
  readonly keys: readonly Interaction[];
}

const keys: readonly [name: string, key: string][] = [
  ['next row (j)', 'j'],
  ['select a row (x)', 'x'],
];
const times = 20;

/** Records when the second frame after a key begins, which is after the first one was painted. */
const watchKeys = `
  window.keyTimes = [];
  addEventListener('keydown', event => requestAnimationFrame(() =>
    requestAnimationFrame(() => window.keyTimes.push(performance.now() - event.timeStamp))), true);`;

const loadRows = `(async most => {
  const rows = () => Number(document.querySelector('[aria-rowcount]')?.getAttribute('aria-rowcount') ?? 1) - 1;
  for (;;) {
    const button = [...document.querySelectorAll('button')].find(each => each.textContent === 'Load more');
    if (rows() >= most || !button) return rows();
    if (!button.dataset.loading) button.click();
    await new Promise(requestAnimationFrame);
  }
})`;

/** Loads rows of the list of findings, and presses keys. @param most rows to load */
export async function measureInteractions(
  browser: Browser,
  visitor: Visitor,
  organizationId: string,
  most: number,
): Promise<Interactions> {
  const tab = await openTab(browser, visitor, true, watchKeys);
  await tab.goto(`${visitor.url}/dashboard/o/${organizationId}/findings?status=any`);
  await tab.getByRole('row').nth(50).waitFor();
  const rows = await tab.evaluate<number>(`${loadRows}(${most})`);
  await tab.evaluate('scrollTo(0, 0)');
  const found: Interaction[] = [];
  for (const [name, key] of keys) found.push(await press(tab, name, Array(times).fill(key)));
  const search = tab.getByRole('searchbox').first();
  await search.focus();
  // Faster than the pause after which the page searches.
  found.push(await press(tab, 'a letter in the search', [...'certificate of a host']));
  const nodes = await tab.evaluate<number>("document.querySelectorAll('*').length");
  await tab.context().close();
  return { rows, nodes, keys: found };
}

async function press(tab: Page, name: string, pressed: readonly string[]): Promise<Interaction> {
  const shown: number[] = [];
  for (const key of pressed) {
    const before = await tab.evaluate<number>('window.keyTimes.length');
    await tab.keyboard.press(key === ' ' ? 'Space' : key);
    shown.push(
      await tab.evaluate<number>(
        `new Promise(resolve => { const check = () => window.keyTimes.length > ${before} ? resolve(window.keyTimes.at(-1)) : requestAnimationFrame(check); check(); })`,
      ),
    );
  }
  return { name, median: median(shown), worst: Math.max(...shown) };
}
