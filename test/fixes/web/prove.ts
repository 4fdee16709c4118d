import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detectorsFor } from '../../../src/detectors/catalogue.ts';
import type { NameAnswer } from '../../support/name-server.ts';
import { scanWebsite, type WebsiteScanOptions } from '../../support/scan-website.ts';
import { expectRecorded } from '../recorded.ts';
import { replaced, type StepOfCheck, stepsFor } from '../steps.ts';
import { type Configuration, type Site, siteName, type WebProduct } from './site.ts';

/** A site that has what a check looks for. */
export interface Flaw {
  /** What brings it about, where the product's default does not. */
  readonly configuration?: Configuration;
  readonly files?: Readonly<Record<string, string>>;
  /** The code is written in the place of the flawed configuration, not after it. */
  readonly replaces?: true;
  /** What is put in the place of words of the code that stand for the reader's own. */
  readonly values?: Readonly<Record<string, string>>;
  readonly credential?: WebsiteScanOptions['credential'];
}

const records = (type: 'TXT' | 'MX' | 'CAA' | 'DS', owner: string, ...data: string[]) => ({
  [`${owner} ${type}`]: { records: [{ name: owner, type, data }] },
});
const goodRecords: Readonly<Record<string, NameAnswer>> = {
  ...records('CAA', 'clinic.com', 'issue', 'ca.example'),
  ...records('TXT', 'clinic.com', 'v=spf1 mx -all'),
  ...records('TXT', '_dmarc.clinic.com', 'v=DMARC1; p=reject'),
  ...records('MX', 'clinic.com', 'mx.clinic.com'),
  ...records('DS', 'clinic.com'),
};

/**
 * For every step that fixes name for a product: the flawed site has the finding; the same site with the code, as it is printed, does
 * not have it, with the check assessed, and has no finding that it had not before.
 *
 * @param flaws by check; of steps that cannot be proven, why
 */
export function proveFixes(
  product: WebProduct,
  flaws: Readonly<Record<string, Flaw | { readonly unproven: string }>>,
): void {
  const proven = new Map<string, string>();

  describe.skipIf(!isInstalled(product))(product.name, () => {
    it.each(stepsFor(product.name))('$name', async ({ name, check, step }) => {
      const flaw = flaws[check.id];
      if (flaw === undefined) throw new Error(`No flawed site for ${name}.`);
      if ('unproven' in flaw) return;
      const flawed = { configuration: {}, ...flaw };
      const before = await scan(product, flawed, flaw, check.id);
      expect(before.found, 'the flawed site').toContain(check.id);
      const after = await scan(product, { ...flawed, configuration: fixed(flaw, step) }, flaw, check.id);
      expect(after.found, 'the fixed site').not.toContain(check.id);
      expect(after.notAssessed.get(check.id), 'not assessed').toBeUndefined();
      expect(after.observed.filter(one => !before.observed.includes(one))).toEqual([]);
      proven.set(name, await product.version());
    });

    it('proves what it claims', async () => {
      await expectRecorded(product.name.toLowerCase(), proven);
    });
  });
}

function isInstalled({ name, program }: WebProduct): boolean {
  if (existsSync(program)) return true;
  console.warn(`SKIPPED: ${program} is not installed; fixes for ${name} are not proven.`);
  return false;
}

function fixed(
  { configuration = {}, replaces, values }: Flaw,
  { place, code }: StepOfCheck['step'],
): Configuration {
  const own = replaced(code, values);
  const before = configuration[place];
  return { ...configuration, [place]: replaces || before === undefined ? own : `${before}\n${own}` };
}

const scans = new Map<string, ReturnType<typeof scanOnce>>();

/** Sites that are the same are scanned once. */
function scan(product: WebProduct, site: Site, { credential }: Flaw, check: string) {
  const full = detectorsFor('website').some(
    ({ depth, checks }) => depth === 'full' && checks.some(({ id }) => id === check),
  );
  const options: WebsiteScanOptions = {
    ...(full ? { depth: 'full' } : {}),
    ...(credential ? { credential } : {}),
  };
  const { configuration, files } = site;
  const key = JSON.stringify([product.name, configuration, files, options]);
  const found = scans.get(key) ?? scanOnce(product, { configuration, ...(files ? { files } : {}) }, options);
  scans.set(key, found);
  return found;
}

async function scanOnce(product: WebProduct, site: Site, options: WebsiteScanOptions) {
  const server = await product.start(site);
  try {
    const { observations, notAssessed } = await scanWebsite(
      `${siteName}:${server.port}`,
      goodRecords,
      options,
    );
    const place = (locator: string) => locator.replaceAll(/:\d{4,5}/g, '');
    return {
      found: observations.map(one => one.check),
      observed: observations.map(one => `${one.check} ${place(one.locator)}`),
      notAssessed: new Map(notAssessed.map(one => [one.check, one.reason])),
    };
  } finally {
    await server.close();
  }
}
