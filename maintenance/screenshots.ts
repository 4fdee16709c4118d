import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { makeLink } from '../src/storage/people/one-time-links.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { makeSampleOrganization, type SampleOrganization } from './screenshots/sample-organization.ts';
import { startSampleService } from './screenshots/sample-service.ts';

/** Pictures of every page of the dashboard, light, dark and on a phone, of a service with lively data: to look at. */
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url));
const only = process.argv[2];

interface Picture {
  readonly name: string;
  /** Below `/dashboard`. */
  readonly path: string;
  readonly signedOut?: boolean;
  /** What is done before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 }, isMobile: false },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 }, isMobile: false },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true },
] as const;

function picturesOf(
  organization: SampleOrganization,
  links: Readonly<Record<'setUp' | 'invitation', string>>,
): Picture[] {
  const of = (section: string) => `/o/${organization.id}/${section}`;
  const openFirst = async (page: Page) => {
    await page.locator('[data-opener]').first().click();
    await page.waitForTimeout(600);
  };
  const press = (name: string) => async (page: Page) => {
    await page.getByRole('button', { name }).first().click();
    await page.waitForTimeout(400);
  };
  return [
    { name: 'set-up', path: links.setUp, signedOut: true },
    { name: 'sign-in', path: '/sign-in', signedOut: true },
    { name: 'invitation', path: links.invitation, signedOut: true },
    { name: 'overview', path: of('overview') },
    { name: 'findings', path: of('findings') },
    { name: 'finding', path: of('findings'), prepare: openFirst },
    { name: 'systems', path: of('systems') },
    { name: 'system', path: of('systems'), prepare: openFirst },
    { name: 'sources', path: of('sources') },
    { name: 'source', path: of('sources'), prepare: openFirst },
    { name: 'scans', path: of('scans') },
    { name: 'scan', path: of('scans'), prepare: openFirst },
    { name: 'events', path: of('events') },
    { name: 'controls', path: of('controls') },
    { name: 'control', path: of('controls'), prepare: openFirst },
    { name: 'evidence', path: of('evidence') },
    { name: 'audit', path: of('audit') },
    { name: 'keys', path: of('settings/keys') },
    { name: 'keys-mint', path: of('settings/keys'), prepare: press('Mint a key') },
    { name: 'people', path: of('settings/people') },
    { name: 'security', path: of('settings/security') },
    { name: 'not-found', path: of('nowhere') },
  ];
}

const service = await startSampleService();
try {
  const { token } = await makeLink(service.storage.people);
  console.log('making the sample organization: real scans, some minutes');
  const organization = await makeSampleOrganization(service);
  const invited = await organization.owner.client.post(organization.api('/invitations'), {
    email: 'erik@harbourview.example',
    role: 'member',
  });
  const invitation = `/invitation${new URL(invited.json.url).hash}`;
  const pictures = picturesOf(organization, { setUp: `/set-up#token=${token}`, invitation });
  const browser = await launchBrowser();
  await mkdir(folder, { recursive: true });
  try {
    for (const { name: look, colorScheme, viewport, isMobile } of looks) {
      for (const { name, path, signedOut, prepare } of pictures) {
        if (only && !name.startsWith(only)) continue;
        const context = await browser.newContext({
          colorScheme,
          viewport,
          isMobile,
          deviceScaleFactor: isMobile ? 2 : 1,
        });
        if (!signedOut) {
          const [cookie, value] = organization.owner.client.cookie!.split('=');
          await context.addCookies([{ name: cookie!, value: value!, url: service.url }]);
        }
        const page = await context.newPage();
        page.setDefaultTimeout(5000);
        await page.goto(`${service.url}/dashboard${path}`);
        await page.waitForLoadState('networkidle');
        await prepare?.(page).catch(error =>
          console.warn(`${name}, ${look}: ${error.message.split('\n')[0]}`),
        );
        await page.waitForTimeout(300);
        await page.screenshot({ path: `${folder}${name}-${look}.png` });
        await context.close();
      }
    }
  } finally {
    await browser.close();
    for (const site of organization.sites) await site.close();
  }
  console.log(`pictures in ${folder}`);
} finally {
  await service.close();
}
