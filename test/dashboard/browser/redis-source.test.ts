import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentRiskStatement } from '../../../src/domain/risk-statements.ts';
import { connectionTester } from '../../../src/main/test-connection.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { addPerson } from '../../support/people.ts';
import { hasRedis, type RedisServer, startRedis } from '../../support/redis.ts';
import { loopbackSandbox } from '../../support/sandbox.ts';
import { startService, type TestService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

const password = `p4ssword${randomBytes(12).toString('hex')}`;
const sandbox = loopbackSandbox();

let service: TestService;
let browser: Browser;
let organizationId: string;
let window: WatchedPage;
beforeAll(async () => {
  const privilegedConnections = true;
  const testConnection = connectionTester({ sandbox, privilegedConnections });
  [service, browser] = await Promise.all([
    startService({ privilegedConnections, testConnection }),
    sharedBrowser(),
  ]);
  organizationId = await service.createOrganization();
  window = await openPage(browser, service, await addPerson(service, organizationId, 'admin'));
});
afterAll(async () => {
  await closeWindows(browser);
  await service?.close();
  await sandbox.close();
});
const at = (path: string) => `/dashboard/o/${organizationId}/${path}`;

/** The command in the documentation that creates the user for scans. */
async function documentedCommand(): Promise<string> {
  const document = await readFile(new URL('../../../docs/databases/redis.md', import.meta.url), 'utf8');
  return /^ACL SETUSER .*$/m.exec(document)![0];
}

describe.skipIf(!hasRedis())('a Redis source', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.close());

  it('is added, helps to create its user, and connects', async () => {
    const { page } = window;
    await page.goto(at('systems?add=yes'));
    const dialog = page.getByRole('dialog', { name: 'Add system' });
    await dialog.getByLabel('Name').fill('Clinic');
    await dialog.getByRole('button', { name: 'Add system' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.goto(at('sources/new'));
    await page.getByRole('radio', { name: 'Redis or Valkey' }).check();
    await page.getByRole('combobox', { name: 'System' }).click();
    await page.getByRole('option', { name: 'Clinic' }).click();
    await page.getByLabel('Display name').fill('Sessions');
    await page.getByText('e.g. cache.example.com:6379').waitFor();
    await expectAccessible(window, 'new Redis source');
    await expectFitsPhone(window, 'new Redis source');
    await page.getByLabel('Host and port').fill(`127.0.0.1:${server.port}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(currentRiskStatement('redis').text).waitFor();
    await page.getByLabel("I'm authorized to approve this").check();
    await page.getByRole('button', { name: 'Accept risk' }).click();

    const field = page.getByRole('textbox', { name: 'Connection string' });
    await field.waitFor();
    const command = await documentedCommand();
    await page.getByText(command).waitFor();
    await page.getByRole('button', { name: 'Copy Command to create the user' }).waitFor();
    await page.getByText('e.g. rediss://user:password@host:6379').waitFor();
    await expectAccessible(window, 'credential of Redis');
    await expectFitsPhone(window, 'credential of Redis');
    await field.fill(`mysql://u:p@127.0.0.1:${server.port}`);
    const store = page.getByRole('button', { name: 'Store credential' });
    await store.click();
    await page.getByText(/rediss:\/\/user:password@host:6379\/0, with special characters/).waitFor();

    await server.run(command.replace('a-long-random-password', password));
    await field.fill(`redis://parapet_reader:${password}@127.0.0.1:${server.port}`);
    await store.click();
    const steps = page.getByRole('region', { name: 'Setup' });
    await steps.getByRole('button', { name: 'Test connection' }).click();
    await steps.getByRole('button', { name: 'Authorize scans' }).click();
    await steps.getByRole('button', { name: 'Run first scan' }).waitFor();
    await page.getByText('Connection OK').first().waitFor();
    expect(await page.content()).not.toContain(password);
    expect(window.errors).toEqual([]);
  });
});

it('is a target of a probe, with the same help', async () => {
  const { page } = window;
  await page.goto(at('probes/new'));
  await page.getByLabel('Name of the probe').fill('office');
  const target = page.getByRole('group', { name: 'New target' });
  await target.getByLabel('Type').click();
  await page.getByRole('option', { name: 'Redis or Valkey' }).click();
  await target.getByText(await documentedCommand()).waitFor();
  expect(await target.getByRole('textbox', { name: /^User/ }).inputValue()).toBe('parapet_reader');
  await target.getByLabel('Host and port').fill('10.0.0.8:6380');
  await target.getByLabel('Display name').fill('Cache');
  const named = page.getByRole('group', { name: 'Cache' });
  await named.getByLabel('Require TLS').uncheck();
  await expectAccessible(window, 'new probe of Redis');
  await expectFitsPhone(window, 'new probe of Redis');
  await page.getByLabel("I'm authorized to approve this").check();
  await page.getByRole('button', { name: 'Add probe' }).click();
  await page.getByText('PROBE_CACHE_PASSWORD: the password of parapet_reader on 10.0.0.8:6380').waitFor();
  const block = await page.locator('pre').first().innerText();
  expect(block).toContain('kind: "redis"');
  expect(block).toContain('tls: "off"');
  expect(block).not.toContain('database:');
  expect(window.errors).toEqual([]);
});
