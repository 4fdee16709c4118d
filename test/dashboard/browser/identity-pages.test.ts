import { expect, it } from 'vitest';
import { OidcProvider } from '../../../src/dashboard/sign-in/oidc.ts';
import { invite } from '../../../src/resources/people/invitations.ts';
import { keepPendingIdentity } from '../../../src/resources/people/pending-identities.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { addPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { startService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

it('leads through linking, invitations and step-ups, on accessible pages', {
  timeout: 240_000,
}, async () => {
  const oidc = new OidcProvider(
    { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y', name: 'Acme ID' },
    'http://localhost/x',
  );
  const [service, browser] = await Promise.all([startService({ oidc }), sharedBrowser()]);
  const organizationId = await service.createOrganization();
  const sql = (text: string, values: unknown[] = []) =>
    asOwner(service.database.connection, async client => (await client.query(text, values)).rows);
  const check = async (window: WatchedPage, name: string) => {
    await expectAccessible(window, name);
    await expectFitsPhone(window, name);
  };
  const out = await openPage(browser, service);
  await out.page.goto('/dashboard/sign-in');
  await out.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await check(out, 'sign-in');
  const owner = await addPerson(service, organizationId, 'owner');
  const pending = async (window: WatchedPage, email: string, sessionId: string | null) => {
    const token = await keepPendingIdentity(service.storage.people, {
      purpose: sessionId === null ? 'sign_in' : 'link',
      sessionId,
      issuer: 'i',
      subject: email,
      email,
      name: 'N',
    });
    await window.page.goto(`/dashboard/provider#token=${token}`);
  };
  await pending(out, owner.email, null);
  await out.page.getByText('Not your account?').waitFor();
  await check(out, 'provider-decide');
  const inside = await openPage(browser, service, owner);
  const [session] = await sql('select id from sessions where person_id = $1', [owner.id]);
  await pending(inside, 'ada@acme.example', session.id);
  await inside.page.getByRole('button', { name: 'Link Acme ID' }).waitFor();
  await check(inside, 'provider-link');
  await inside.page.getByRole('button', { name: 'Link Acme ID' }).click();
  await inside.page.getByRole('navigation', { name: 'Main' }).waitFor();
  await inside.page.goto(`/dashboard/o/${organizationId}/settings/security`);
  await inside.page.getByText('ada@acme.example').waitFor();
  await check(inside, 'security');
  const member = await addPerson(service, organizationId, 'member', { steppedUp: false });
  await sql('update people set email_verified_at = now() where id = $1', [member.id]);
  await sql("insert into person_identities (issuer, subject, person_id) values ('x', 'y', $1)", [member.id]);
  const elsewhere = await service.createOrganization();
  await service.storage.people.transaction(transaction =>
    invite(transaction, {
      organizationId: elsewhere,
      email: member.email,
      role: 'member',
      actor: { kind: 'operator', id: 'host' },
    }),
  );
  const mine = await openPage(browser, service, member);
  await mine.page.goto('/dashboard/');
  await mine.page.getByRole('button', { name: 'Accept' }).waitFor();
  await check(mine, 'invitations');
  await mine.page.getByRole('button', { name: 'Accept' }).click();
  await mine.page.getByRole('dialog').waitFor();
  await check(mine, 'step-up-password');
  await mine.page.getByRole('dialog').locator('input[type=password]').fill('wrong one');
  await mine.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await mine.page.getByText('Incorrect password').waitFor();
  await mine.page.getByRole('dialog').locator('input[type=password]').fill(member.password);
  await mine.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await mine.page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect((await member.client.session()).state).toBe('signed_out');
  const wrong = inside;
  await service.storage.people
    .transaction(transaction =>
      invite(transaction, {
        organizationId: elsewhere,
        email: 'zed@example.org',
        role: 'admin',
        actor: { kind: 'operator', id: 'host' },
      }),
    )
    .then(({ token: t }) => wrong.page.goto(`/dashboard/invitation#token=${t}`));
  await wrong.page.getByRole('button', { name: 'Sign out' }).waitFor();
  await check(wrong, 'invitation-other');
  // A download asks for a step-up first, then continues.
  await sql('update sessions set stepped_up_at = null');
  const download = await openPage(
    browser,
    service,
    await addPerson(service, organizationId, 'member', { steppedUp: false }),
  );
  await download.page.goto(`/dashboard/o/${organizationId}/findings`);
  await download.page.getByRole('button', { name: 'Export' }).click();
  await download.page.getByRole('menuitem').first().click();
  await download.page
    .getByRole('dialog', { name: "Confirm it's you" })
    .locator('input[type=password]')
    .fill(member.password);
  const [file] = await Promise.all([
    download.page.waitForEvent('download'),
    download.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^findings-.*\.csv$/);
  await closeWindows(browser);
  await service.close();
});
