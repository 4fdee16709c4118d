import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detectorsFor } from '../../../src/detectors/catalogue.ts';
import { canTest } from '../../support/can-test.ts';
import { scanWebsite, type WebsiteScanOptions } from '../../support/scan-website.ts';
import { expectRecorded } from '../recorded.ts';
import { replaced, type StepOfCheck, stepsFor } from '../steps.ts';
import { type Configuration, type Site, siteName, type WebProduct } from './site.ts';
import { goodZone, zoneRecords } from './zone.ts';

/** A site with a flaw that a check detects. */
export interface Flaw extends Partial<Site> {
  /** The code replaces the flawed configuration, or is added before it, not after it. */
  readonly replaces?: true;
  readonly precedes?: true;
  /** Checks whose findings remain on the fixed site. */
  readonly stays?: readonly string[];
  /** Checks whose findings the code fixes too. */
  readonly goes?: readonly string[];
  /** The configuration that replaces the flawed one, to which the code is added. */
  readonly correct?: Configuration;
  /** Replacements for the placeholders in the code. */
  readonly values?: Readonly<Record<string, string>>;
  readonly credential?: WebsiteScanOptions['credential'];
}

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
    const version = product.version();

    it.each(stepsFor(product.name))('$name', async ({ name, check, step }) => {
      const flaw = flaws[check.id];
      if (flaw === undefined) throw new Error(`No flawed site for ${name}.`);
      if ('unproven' in flaw) return;
      const before = await scan(product, flaw, check.id);
      expect(before.found, 'the flawed site').toContain(check.id);
      const after = await scan(product, { ...flaw, configuration: fixed(flaw, step) }, check.id);
      const gone = [check.id, ...(flaw.goes ?? [])];
      expect(
        after.found.filter(found => gone.includes(found)),
        'the fixed site',
      ).toEqual([]);
      expect(after.found, 'the fixed site').toEqual(expect.arrayContaining([...(flaw.stays ?? [])]));
      expect(after.notAssessed.get(check.id), 'not assessed').toBeUndefined();
      const added = after.observed.filter(
        ({ check, place }) =>
          !before.notAssessed.has(check) &&
          !before.observed.some(one => one.check === check && one.place === place),
      );
      expect(added, 'new findings of what was assessed before').toEqual([]);
      proven.set(name, await version);
    });

    it('proves what it claims', async () => {
      await expectRecorded(recordOf(product), proven);
    });
  });
}

/** The name of a product's record file, without extension. */
const recordOf = ({ name }: WebProduct) => name.toLowerCase().replace(/[^a-z]/g, '-');

const isInstalled = ({ name, program }: WebProduct) =>
  canTest(existsSync(program), `${program} is not installed; fixes for ${name} are not proven`);

function fixed(
  { configuration = {}, correct, replaces, precedes, values }: Flaw,
  { place, code }: StepOfCheck['step'],
): Configuration {
  const own = replaced(code, values);
  const before = (correct ?? configuration)[place];
  return {
    ...configuration,
    [place]: replaces || before === undefined ? own : (precedes ? [own, before] : [before, own]).join('\n'),
  };
}

const scans = new Map<string, ReturnType<typeof scanOnce>>();

/** Identical sites are scanned once. */
function scan(
  product: WebProduct,
  { replaces, precedes, stays, goes, values, correct, credential, ...given }: Flaw,
  check: string,
) {
  const detector = detectorsFor('website').find(({ checks }) => checks.some(({ id }) => id === check));
  const options: WebsiteScanOptions = {
    // Like a scan that verifies one of its findings.
    ...(detector?.reads ? { parts: new Set(detector.reads) } : {}),
    ...(detector?.depth ? { depth: detector.depth } : {}),
    ...(credential ? { credential } : {}),
  };
  const site = { configuration: {}, ...given };
  const key = JSON.stringify([product.name, site, { ...options, parts: detector?.reads }]);
  const found = scans.get(key) ?? scanOnce(product, site, options);
  scans.set(key, found);
  return found;
}

async function scanOnce(product: WebProduct, site: Site, options: WebsiteScanOptions) {
  const server = await product.start(site);
  try {
    const { observations, notAssessed } = await scanWebsite(
      `${siteName}:${server.port}`,
      await zoneRecords(site.configuration['dns.zone'] ?? goodZone),
      options,
    );
    const placeOf = (locator: string) => locator.replaceAll(/:\d{4,5}/g, '').replace('http:', 'https:');
    return {
      found: observations.map(one => one.check),
      observed: observations.map(({ check, locator }) => ({ check, place: placeOf(locator) })),
      notAssessed: new Map(notAssessed.map(one => [one.check, one.reason])),
    };
  } finally {
    await server.close();
  }
}
