import { readFileSync } from 'node:fs';

/** A site that other people built. */
export interface Site {
  readonly name: string;
  readonly kind: string;
  /** `npm:` with a package and its version, or `deb:` with packages of Debian. */
  readonly source: string;
  /** Below the package. */
  readonly folder: string;
  /** The page to scan, below the folder. */
  readonly page: string;
}

export const sites: readonly Site[] = readFileSync(new URL('sites.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => {
    const [name = '', kind = '', source = '', folder = '', page = ''] = line.split(/\s+/);
    return { name, kind, source, folder, page };
  });
