import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { makeLink } from '../src/resources/people/one-time-links.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { makeSampleOrganization, type SampleOrganization } from './screenshots/sample-organization.ts';
import { type SampleService, startSampleService } from './screenshots/sample-service.ts';

/** Takes screenshots of every dashboard page with sample data: light, dark and on a phone. */
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url));
const only = process.argv[2];

interface Picture {
  readonly name: string;
  /** Below `/dashboard`. */
  readonly path: string;
  /** Actions before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const themes = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 }, isMobile: false },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 }, isMobile: false },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true },
] as const;

/** Pages with empty states. */
const sections = [
  'overview',
  'findings',
  'systems',
  'sources',
  'probes',
  'scans',
  'events',
  'shield',
  'controls',
  'evidence',
];

function picturesOf(organization: SampleOrganization): Picture[] {
  const of = (section: string) => `/o/${organization.id}/${section}`;
  const open = (name: string) => async (page: Page) => {
    await page.locator('[data-opener]').filter({ hasText: name }).first().click();
    await page.waitForTimeout(600);
  };
  const openFirst = open('');
  const openShield = async (page: Page) => {
    await open('Portal website')(page);
    await page
      .getByRole('heading', { name: 'Shield', exact: true })
      .evaluate(heading => heading.scrollIntoView());
    await page.waitForTimeout(400);
  };
  const press = (name: string) => async (page: Page) => {
    await page.getByRole('button', { name }).first().click();
    await page.waitForTimeout(400);
  };
  const createKey = async (page: Page) => {
    await press('Create key')(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('CI of the booking system');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel("I've saved these").waitFor();
  };
  let added = 0;
  const addProbe = async (page: Page) => {
    await page.getByRole('combobox', { name: 'System' }).click();
    await page.getByRole('option', { name: 'Booking API' }).click();
    // Without sources in probe mode, the form starts with a target.
    if (added > 0) await press('Add a target')(page);
    await page.getByLabel('Name of the probe').fill(`branch-${++added}`);
    await page.getByLabel('Display name').fill('Bookings');
    await page.getByLabel('Host and port').fill(`db-${added}.internal`);
    await page.getByLabel("I'm authorized to approve this").check();
    await page.getByRole('button', { name: 'Add probe' }).click();
    await page.getByText('Waiting for the first heartbeat').waitFor();
  };
  return [
    { name: 'overview', path: of('overview') },
    { name: 'findings', path: of('findings') },
    { name: 'finding', path: of('findings'), prepare: openFirst },
    { name: 'systems', path: of('systems') },
    { name: 'system', path: of('systems'), prepare: openFirst },
    { name: 'sources', path: of('sources') },
    { name: 'source', path: of('sources'), prepare: openFirst },
    { name: 'source-watched', path: of('sources'), prepare: open('Portal website') },
    { name: 'source-shield', path: of('sources'), prepare: openShield },
    { name: 'source-probe', path: of('sources'), prepare: open('Staff records') },
    { name: 'probes', path: of('probes') },
    { name: 'probe', path: of('probes'), prepare: openFirst },
    { name: 'probes-new', path: of('probes/new') },
    { name: 'probes-added', path: of('probes/new'), prepare: addProbe },
    { name: 'scans', path: of('scans') },
    { name: 'scan', path: of('scans'), prepare: openFirst },
    { name: 'events', path: of('events') },
    { name: 'event', path: of('events?kind=probe.heartbeat'), prepare: openFirst },
    { name: 'shield', path: of('shield') },
    { name: 'controls', path: of('controls') },
    { name: 'control', path: of('controls'), prepare: openFirst },
    { name: 'evidence', path: of('evidence') },
    { name: 'audit', path: of('audit') },
    { name: 'keys', path: of('settings/keys') },
    { name: 'keys-create', path: of('settings/keys'), prepare: press('Create key') },
    { name: 'keys-created', path: of('settings/keys'), prepare: createKey },
    { name: 'keys-rotate', path: of('settings/keys'), prepare: press('Rotate') },
    { name: 'notifications', path: of('settings/notifications') },
    { name: 'notifications-preview', path: of('settings/notifications'), prepare: press('Preview summary') },
    { name: 'channels', path: of('settings/channels') },
    { name: 'channels-add', path: of('settings/channels'), prepare: press('Add channel') },
    { name: 'people', path: of('settings/people') },
    { name: 'due-dates', path: of('settings/due-dates') },
    { name: 'findings-by-check', path: of('findings?view=check') },
    { name: 'security', path: of('settings/security') },
    { name: 'not-found', path: of('nowhere') },
    ...sections.map(name => ({ name: `empty-${name}`, path: `/o/${organization.emptyId}/${name}` })),
  ];
}

async function take(browser: Browser, service: SampleService, pictures: readonly Picture[], cookie?: string) {
  for (const { name: theme, colorScheme, viewport, isMobile } of themes) {
    for (const { name, path, prepare } of pictures.filter(({ name }) => !only || name.startsWith(only))) {
      const deviceScaleFactor = isMobile ? 2 : 1;
      const context = await browser.newContext({ colorScheme, viewport, isMobile, deviceScaleFactor });
      if (cookie) {
        const [session, value] = cookie.split('=');
        await context.addCookies([{ name: session!, value: value!, url: service.url }]);
      }
      const page = await context.newPage();
      page.setDefaultTimeout(5000);
      await page.goto(`${service.url}/dashboard${path}`);
      await page.waitForLoadState('networkidle');
      await prepare?.(page);
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${folder}${name}-${theme}.png` });
      await context.close();
    }
  }
}

await mkdir(folder, { recursive: true });
const service = await startSampleService();
const browser = await launchBrowser();
try {
  const { token } = await makeLink(service.storage.people);
  await take(browser, service, [{ name: 'set-up', path: `/set-up#token=${token}` }]);
  console.log('making the sample organization, with real scans: half a minute');
  const organization = await makeSampleOrganization(service);
  await take(browser, service, [
    { name: 'sign-in', path: '/sign-in' },
    { name: 'invitation', path: `/invitation${organization.invitation.hash}` },
    { name: 'unsubscribe', path: '/unsubscribe#token=x' },
  ]);
  await take(browser, service, picturesOf(organization), organization.owner.client.cookie);
  for (const site of organization.sites) await site.close();
  console.log(`pictures in ${folder}`);
} finally {
  await browser.close();
  await service.close();
}
