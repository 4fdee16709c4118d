import { spawnSync } from 'node:child_process';
import { compareVersions } from '../../src/detectors/website/libraries/version.ts';
import type { Advisory } from './read-retire.ts';

/** Packages of libraries on npm where their names differ. Null: not on npm, or not all releases. */
const packages: Readonly<Record<string, string | null>> = {
  'angular-core': '@angular/core',
  angularjs: 'angular',
  chartjs: 'chart.js',
  ckeditor: 'ckeditor4',
  datatables: 'datatables.net',
  dojo: null,
  dwr: null,
  easyxdm: null,
  ember: null,
  extjs: null,
  flowplayer: null,
  froala: 'froala-editor',
  highlightjs: 'highlight.js',
  jplayer: null,
  'jquery-deparam': null,
  'jquery-mobile': null,
  'jquery-terminal': 'jquery.terminal',
  pdfjs: 'pdfjs-dist',
  pendo: null,
  plotly: 'plotly.js',
  plupload: null,
  prettyphoto: null,
  prototype: null,
  sessvars: null,
  swfobject: null,
  tableexport: 'tableexport.jquery.plugin',
  videojs: 'video.js',
  xlsx: null,
  yui: null,
};

/**
 * By library, the bounds of its advisories that are no release on npm, each with the next stable release, or `-`
 * if there is none: distributors fix versions that the project never published. `bound release, ...`
 */
export function unpublishedBounds(advisories: readonly Advisory[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const library of [...new Set(advisories.map(({ library }) => library))].sort()) {
    const name = packages[library] === undefined ? library : packages[library];
    if (name === null) continue;
    const releases = releasesOf(name);
    const bounds = advisories.filter(each => each.library === library && each.below !== '');
    const missing = [...new Set(bounds.map(({ below }) => below))]
      .filter(below => isMissing(below, releases))
      .map(below => `${below} ${releases.find(release => compareVersions(release, below) > 0) ?? '-'}`);
    if (missing.length > 0) found[library] = missing.join(', ');
  }
  return found;
}

/** A later patch on npm shows that the bound was released too, before the project published there. */
function isMissing(below: string, releases: readonly string[]): boolean {
  const [, series] = /^(\d+\.\d+\.)\d+$/.exec(below) ?? [];
  return !releases.some(release => {
    const order = compareVersions(release, below);
    return order === 0 || (order > 0 && series !== undefined && release.startsWith(series));
  });
}

/** Stable releases on npm, in order. */
function releasesOf(name: string): readonly string[] {
  const { status, stdout, stderr } = spawnSync('npm', ['view', name, 'versions', '--json'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm view ${name}: ${stderr.trim()}`);
  const versions = [JSON.parse(stdout) as string | string[]].flat();
  return versions.filter(version => /^\d+(?:\.\d+)*$/.test(version)).sort(compareVersions);
}
