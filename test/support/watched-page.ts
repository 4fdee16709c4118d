import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestPerson } from './people.ts';
import type { RunningNode } from './service.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const wcag = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** Of the same page in other colors, nothing else can differ. */
const colors = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** A page in its own browser window, and its errors. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that scripts threw or wrote to the console, including violations of the content security policy. */
  readonly errors: string[];
}

/**
 * A browser window for one person, optionally signed in. It uses this machine's name, since passkeys belong to names.
 */
export async function openPage(
  browser: Browser,
  node: Pick<RunningNode, 'url'>,
  person?: Pick<TestPerson, 'client'>,
): Promise<WatchedPage> {
  const url = node.url.replace('127.0.0.1', 'localhost');
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } });
  if (person) {
    const [name, value] = person.client.cookie!.split('=');
    await context.addCookies([{ name: name!, value: value!, url, httpOnly: true, sameSite: 'Lax' }]);
  }
  const page = await context.newPage();
  // Other tests on the same machine make pages slow.
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => {
    // Browsers also report every response with an error status; tests check those where they matter.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      errors.push(message.text());
    }
  });
  return { page, context, errors };
}

/** Gives the browser an authenticator that creates and uses passkeys without prompts. */
export async function addAuthenticator({
  context,
  page,
}: WatchedPage): Promise<{ setUserVerified(isUserVerified: boolean): Promise<void> }> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return {
    setUserVerified: async isUserVerified => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

/** Fails on violations of WCAG 2.2 AA that axe reports, light and dark, and if the page is wider than a phone. */
export async function expectAccessible({ page, errors }: WatchedPage, name: string): Promise<void> {
  for (const [colorScheme, rules] of [
    ['light', wcag],
    ['dark', colors],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    expect(await violations(page, rules), `${name}, ${colorScheme}`).toEqual([]);
  }
  expect(errors, `${name}: console`).toEqual([]);
}

/**
 * Fails if the page is wider than a phone's window of 360 pixels, a button's label is cut off (menus may shorten
 * theirs), or axe reports a violation.
 */
export async function expectFitsPhone({ page }: WatchedPage, name: string): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 740 });
  // Tables become lists shortly after the window has become small.
  await page.evaluate('new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)))');
  const width = await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth);
  expect(width, `${name}: width on a phone`).toBeLessThanOrEqual(360);
  await expect
    .poll(() => cutLabels(page), { message: `${name}: labels that are cut off on a phone` })
    .toEqual([]);
  expect(await violations(page, wcag), `${name}, phone`).toEqual([]);
  await page.setViewportSize(before);
}

const cutLabels = (page: Page) =>
  page
    .locator('.mantine-Button-root:not([aria-haspopup]) .mantine-Button-label')
    .evaluateAll(labels =>
      labels
        .filter(
          ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
            scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
        )
        .map(label => label.textContent),
    );

async function violations(page: Page, runOnly: typeof wcag): Promise<string[]> {
  // Colors in a transition are neither the old nor the new ones.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter(one => one instanceof CSSTransition).map(one => one.finished))',
  );
  // Through the debugger, which the page's policies do not restrict; once per document.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })}).then(${String(describe)})`,
  );
}

/** Runs in the page, since the complete results are megabytes to send. */
const describe = ({ violations }: AxeResults): string[] =>
  violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(node => `${node.html} ${node.any.map(check => check.message)}`).join(' | ')}`,
  );
