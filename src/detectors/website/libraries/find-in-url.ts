import { libraryOfFile } from './known-libraries.ts';

/** A library's name and version. */
export interface NamedLibrary {
  /** Its key in the tables. */
  readonly library: string;
  readonly version: string;
  /** Only a range is known: from this version to `version`. */
  readonly oldest?: string;
}

const release = String.raw`v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:-?(?:alpha|beta|rc|b|next|canary)[.-]?\d{0,4})?)`;
const isRelease = new RegExp(`^${release}$`);
/** jspm writes `npm:` before it. */
const packageAtRelease = new RegExp(`^(?:npm:)?([a-z][a-z0-9._-]{1,40})@${release}$`);
const fileWithRelease = new RegExp(`^([a-z][a-z_.-]{1,40}?\\d?)[-.@_]${release}$`);
/** Suffixes of builds, in any order. */
const builds =
  /(?:[.-](?:min|slim|bundle|full|core|pack|prod|production|development|debug|dev|umd|cjs|esm|global|runtime|all|pkgd|modern|compat|latest|with-locales))+$/;

/** Hosts on which a version in a path is the file's, not the site's. */
const deliveryNetworks =
  /(?:^|\.)(?:cdnjs\.cloudflare\.com|jsdelivr\.net|unpkg\.com|ajax\.googleapis\.com|ajax\.aspnetcdn\.com|code\.jquery\.com|bootstrapcdn\.com|bootcdn\.net|baomitu\.com|staticfile\.(?:org|net)|code\.angularjs\.org|cdn\.ckeditor\.com|cdn\.tiny\.cloud|cdn\.datatables\.net|code\.highcharts\.com|yastatic\.net)$/;

/**
 * Libraries that a script's URL names with their version, in the formats of CDNs and of published files:
 * `jquery@3.4.1`, `jquery/3.4.1/jquery.min.js`, `3.4.1/jquery.min.js`, `jquery-3.4.1.min.js`.
 */
export function librariesInUrl(url: string): readonly NamedLibrary[] {
  const { hostname, pathname } = new URL(url);
  const path = pathname.toLowerCase();
  // jsDelivr joins files: /combine/npm/jquery@3.4.1,npm/bootstrap@4.1.3
  return path.split(',').flatMap(part => inPath(part, deliveryNetworks.test(hostname)));
}

function inPath(path: string, isDelivered: boolean): readonly NamedLibrary[] {
  const segments = path.split('/').slice(-12);
  const file = segments.at(-1) ?? '';
  if (file.length > 120) return [];
  const stem = file.replace(/\.m?js$/, '').replace(builds, '');
  const [, fileName = '', fileRelease] = fileWithRelease.exec(stem) ?? [];
  const named = libraryOfFile(fileName.replace(builds, ''));
  if (named !== undefined && fileRelease !== undefined && /\.m?js$/.test(file)) {
    return [{ library: named, version: fileRelease }];
  }
  // A package has other files too: translations, plugins, single functions.
  const main = libraryOfFile(stem) ?? libraryOfFile(`${stem}.js`);
  for (const [at, segment] of segments.entries()) {
    const [, inSegment, atRelease] = packageAtRelease.exec(segment) ?? [];
    const version = atRelease ?? isRelease.exec(segment)?.[1];
    if (version === undefined) continue;
    const owner = segments[inSegment === undefined ? at - 2 : at - 1] ?? '';
    const ofSegment = inSegment ?? segments[at - 1] ?? '';
    const library = libraryOfFile(owner.startsWith('@') ? `${owner}/${ofSegment}` : ofSegment);
    const isLast = at === segments.length - 1;
    if (library !== undefined && (isLast || library === main)) return [{ library, version }];
    if (library === undefined && main !== undefined && isDelivered && inSegment === undefined) {
      return [{ library: main, version }];
    }
  }
  return [];
}
