import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invite } from '../../../src/resources/people/invitations.ts';
import { makeLink } from '../../../src/resources/people/one-time-links.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { totpCode } from '../../support/dashboard-client.ts';
import { addPerson } from '../../support/people.ts';
import { type SharedService, sharedService } from '../../support/service.ts';
import { openPage } from '../../support/watched-page.ts';

let service: SharedService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
});
afterAll(() => closeWindows(browser));

/** A page, and the requests with the token in the URL or the Referer header. */
async function openWatching(token: string) {
  const { page } = await openPage(browser, service);
  const told: string[] = [];
  const heard: Promise<unknown>[] = [];
  page.on('request', request => {
    if (request.url().includes(token)) told.push(request.url());
    heard.push(
      request.allHeaders().then(
        ({ referer = '' }) => referer.includes(token) && told.push(`${request.url()} from ${referer}`),
        () => {},
      ),
    );
  });
  const toldIn = async () => {
    await Promise.all(heard);
    return told;
  };
  return { page, toldIn };
}

it('are in no request while an invitation is accepted by signing in first', async () => {
  const elsewhere = await service.createOrganization();
  const person = await addPerson(service, await service.createOrganization(), 'admin');
  const { token } = await service.storage.people.transaction(transaction =>
    invite(transaction, {
      organizationId: elsewhere,
      email: person.email,
      role: 'member',
      actor: { kind: 'operator', id: 'host' },
    }),
  );
  const { page, toldIn } = await openWatching(token);
  await page.goto(`/dashboard/invitation#token=${token}`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').waitFor();
  // The token survives a reload, which requests the page again.
  await page.reload();
  await page.getByLabel('Email').fill(person.email);
  await page.locator('input[type=password]').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('6-digit code').fill(await totpCode(person.totpSecret!));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Join / }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(await toldIn()).toEqual([]);
});

it('are in no request while a new password is set', async () => {
  const person = await addPerson(service, await service.createOrganization(), 'member');
  const { token } = await makeLink(service.storage.people, person.id);
  const { page, toldIn } = await openWatching(token);
  await page.goto(`/dashboard/password-reset#token=${token}`);
  await page.locator('input[autocomplete=new-password]').fill('meadow brick falcon 29');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(await toldIn()).toEqual([]);
});
