import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const installed = /.*\/?(node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The packages that the modules of a bundle are from.
 * @param paths of modules, as a bundler names them.
 * @returns their folders below the repository, sorted: `node_modules/react`, `node_modules/a/node_modules/b`.
 */
export function bundledPackages(paths: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const folder = installed.exec(path.replaceAll('\\', '/'))?.[0];
    if (folder) folders.add(folder.slice(folder.indexOf('node_modules/'), -1));
  }
  return [...folders].sort();
}

/** Writes a bundle's packages where build-sbom.ts reads them; an unchanged list keeps its time of change. */
export function keepBundledPackages(file: string, paths: Iterable<string>): void {
  const text = `${JSON.stringify(bundledPackages(paths), null, 2)}\n`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
