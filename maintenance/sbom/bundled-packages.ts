import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const installed = /.*\/?(node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The packages of a bundle's modules.
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

/**
 * Writes a bundle's packages to the file that build-sbom.ts reads; an unchanged list keeps its modification
 * time.
 */
export function keepBundledPackages(file: string, paths: Iterable<string>): void {
  const text = `${JSON.stringify(bundledPackages(paths), null, 2)}\n`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
