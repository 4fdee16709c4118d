import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLink } from '../../../src/storage/people/one-time-links.ts';
import { launchBrowser } from '../../support/browser.ts';
import { totpCode } from '../../support/dashboard-client.ts';
import { startService, type TestService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage } from '../../support/watched-page.ts';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

it('leads from the set-up link to an owner with a second factor and backup codes', async () => {
  const { token } = await makeLink(service.storage.people);
  const window = await openPage(browser, service.url);
  const { page } = window;
  await page.goto(`/dashboard/set-up#token=${token}`);
  await page.getByLabel('Organization').fill('Harbour View Clinic');
  await page.screenshot({ path: '/tmp/w1.png' });
  await expectAccessible(window, 'set-up');
  await expectFitsPhone(window, 'set-up');
  await page.getByLabel('Your name').fill('Ada Berg');
  await page.getByLabel('Your e-mail address').fill('ada@example.org');
  await page.locator('input[autocomplete=new-password]').fill('lantern orbit cactus 71');
  await page.getByText('Very good').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await page.screenshot({ path: '/tmp/w2.png' });
  await expectAccessible(window, 'enrolment');
  await expectFitsPhone(window, 'enrolment');
  const secret = (await page.locator('pre').innerText()).replaceAll(' ', '');
  await page.getByLabel('Six digits').fill(await totpCode(secret, -1));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('list', { name: 'Backup codes' }).waitFor();
  await page.screenshot({ path: '/tmp/w3.png' });
  await expectAccessible(window, 'backup codes');
  expect(await page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem').count()).toBe(10);
  await page.getByLabel('I have kept them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.screenshot({ path: '/tmp/w4.png' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Security' }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.screenshot({ path: '/tmp/w5.png' });
  await expectAccessible(window, 'security');
  await expectFitsPhone(window, 'security');
});
