import { existsSync, readdirSync, readFileSync } from 'node:fs';
import spdxLicenses from 'spdx-license-list';
import { standardText } from './standard-text.ts';

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly author?: string | { readonly name?: string };
  readonly contributors?: readonly (string | { readonly name?: string })[];
}

/** A package that `npm ci --omit=dev` installs, or that a bundle in dist contains in part. */
export interface ShippedPackage {
  /** Its folder below the repository, which distinguishes two versions of one package. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  readonly licenseText: string;
  /** As in the lock file: `sha512-<base64>`. */
  readonly integrity: string;
  /**
   * Where it is shipped: in the service's packages, its programs, the dashboard's pages, or the sandbox's
   * program.
   */
  readonly shippedIn: readonly string[];
  /** Installed on some platforms only. */
  readonly optional: boolean;
  /** Folders of the shipped packages that it depends on. */
  readonly needs: readonly string[];
}

const nameOf = (folder: string) => folder.slice(folder.lastIndexOf('node_modules/') + 13);
const personOf = (person: string | { readonly name?: string } | undefined) =>
  (typeof person === 'string' ? person : person?.name)?.replace(/\s*[<(].*/, '');

function ownTexts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const named = readdirSync(folder).filter(name => /^(licen[cs]e|copying|notice)/i.test(name));
  return named.sort().map(name => readFileSync(`${folder}/${name}`, 'utf8').trim());
}

/** The standard license text with the package's author, if a package has none. */
function licenseText(root: string, folder: string, license: string): string {
  const own = ownTexts(root + folder);
  if (own.length) return own.join('\n\n');
  const file = `${root}${folder}/package.json`;
  const manifest = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
  const author =
    personOf(manifest.author ?? manifest.contributors?.[0]) ?? `the authors of ${nameOf(folder)}`;
  return standardText(license, `Copyright (c) ${author}`);
}

/** Some packages name their license only in its text. */
function licenseOf(root: string, folder: string, entry: LockEntry): string {
  if (entry.license) return entry.license;
  const [title] = ownTexts(root + folder)[0]?.split('\n') ?? [];
  const known = Object.entries(spdxLicenses).find(([, { name }]) => name === title?.trim());
  if (!known) throw new Error(`${folder} names no license that SPDX knows`);
  return known[0];
}

/** Resolves a package's dependency like Node.js. */
function resolve(from: string, name: string, lock: Readonly<Record<string, LockEntry>>): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const folder = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (lock[folder]) return folder;
    if (!at) return undefined;
  }
}

/**
 * All third-party packages that are installed or bundled with the service.
 * @param root of the repository, ending in `/`.
 * @param bundles the folders in each bundle.
 * @returns packages, sorted by folder.
 * @throws Error if a package has no known license or integrity hash, or is in a bundle but not in the lock
 * file.
 */
export function shippedPackages(
  root: string,
  bundles: Readonly<Record<string, readonly string[]>>,
): ShippedPackage[] {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')).packages as Record<
    string,
    LockEntry
  >;
  const shipped = new Map<string, string[]>();
  // A link leads to a folder of this repository, which has an entry too.
  for (const [folder, { dev, link }] of Object.entries(lock)) {
    if (folder && !dev && !link) shipped.set(folder, ['service']);
  }
  for (const [bundle, folders] of Object.entries(bundles)) {
    for (const folder of folders) shipped.set(folder, [...(shipped.get(folder) ?? []), bundle]);
  }
  return [...shipped.keys()].sort().map(folder => {
    const entry = lock[folder];
    if (!entry?.integrity) throw new Error(`${folder} is shipped, and not in the lock file with its hash`);
    const license = licenseOf(root, folder, entry);
    const needs = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
    const needed = Object.keys(needs).map(name => resolve(folder, name, lock));
    return {
      folder,
      name: nameOf(folder),
      version: entry.version,
      license,
      licenseText: licenseText(root, folder, license),
      integrity: entry.integrity,
      shippedIn: shipped.get(folder)!,
      optional: entry.optional === true,
      needs: needed.filter(other => other !== undefined && shipped.has(other)).sort() as string[],
    };
  });
}
