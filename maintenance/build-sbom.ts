import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

/**
 * Writes dist/sbom.cdx.json and dist/THIRD_PARTY_NOTICES.txt, unless their inputs are unchanged. Runs after
 * the bundles are built, because these list their packages.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const bundles = {
  dashboard: 'dist/web/.vite/packages.json',
  programs: 'dist/programs.packages.json',
  sandbox: 'dist/sandbox.packages.json',
};
const sources = [
  ...Object.values(bundles),
  'package.json',
  'package-lock.json',
  'assets',
  'maintenance/build-sbom.ts',
  'maintenance/sbom',
  'src/detectors/website/libraries/advisories.ts',
];
const targets = ['dist/sbom.cdx.json', 'dist/THIRD_PARTY_NOTICES.txt'];

function changedAt(path: string): number {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(...readdirSync(path).map(name => changedAt(join(path, name))));
}

const builtAt = targets.map(target => statSync(root + target, { throwIfNoEntry: false })?.mtimeMs ?? 0);
if (Math.max(...sources.map(source => changedAt(root + source))) >= Math.min(...builtAt)) {
  const { shippedPackages } = await import('./sbom/shipped-packages.ts');
  const { repositoryParts } = await import('./sbom/other-parts.ts');
  const { billOfMaterials } = await import('./sbom/bill-of-materials.ts');
  const { notices } = await import('./sbom/notices.ts');
  const read = (file: string) => JSON.parse(readFileSync(root + file, 'utf8')) as string[];
  const shipped = shippedPackages(root, {
    dashboard: read(bundles.dashboard),
    programs: read(bundles.programs),
    sandbox: read(bundles.sandbox),
  });
  const others = repositoryParts(root);
  writeFileSync(root + targets[0], billOfMaterials(packageJson.version, shipped, others));
  writeFileSync(root + targets[1], notices(shipped, others));
}
