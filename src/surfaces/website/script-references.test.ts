import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import esbuild from 'esbuild';
import { build as buildWithVite } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { ImportMap } from './import-map.ts';
import { referencesIn } from './script-references.ts';

const pathsIn = (text: string, url: string, isPage = false) =>
  referencesIn(text, new URL(url, 'https://site.example/'), new ImportMap(), isPage).references.map(
    ({ url }) => url.pathname,
  );

describe('real builds', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bundles-'));
    const sources: Record<string, string> = {
      'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
      'main.js': `import { both } from './both.js'; import './style.css';
        both(); document.onclick = () => import('./admin/page.js'); onload = () => import('./settings.js');`,
      'both.js': 'export const both = () => console.log("both", location.href);',
      'style.css': 'body { color: red }',
      'admin/page.js': `import { both } from '../both.js'; import './page.css'; both(); export default import('./detail.js');`,
      'admin/page.css': 'p { color: red }',
      'admin/detail.js': 'export default location.search;',
      'settings.js': `import { both } from './both.js'; both(); export default 1;`,
    };
    for (const [name, text] of Object.entries(sources)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  });

  /** The scripts below a folder that are found from those at a path, of all that are there. */
  async function followed(root: string, start: readonly string[]) {
    const files = (await readdir(root, { recursive: true })).filter(name => name.endsWith('.js'));
    const known = new Set(start);
    for (const path of known) {
      const text = await readFile(join(root, path), 'utf8');
      for (const next of pathsIn(text, path)) if (files.includes(next.slice(1))) known.add(next);
    }
    return { all: files.map(file => `/${file}`).sort(), found: [...known].sort() };
  }

  it.each(['/', './', '/portal/'])('follows all chunks of Vite below the base %s', async base => {
    const outDir = join(folder, `vite-${base.length}`, base === './' ? '' : base);
    await buildWithVite({ root: folder, base, logLevel: 'silent', build: { outDir, emptyOutDir: true } });
    const page = await readFile(join(outDir, 'index.html'), 'utf8');
    const [, entry] = /src="([^"]+)"/.exec(page)!;
    const { all, found } = await followed(join(folder, `vite-${base.length}`), [
      new URL(entry!, 'https://site.example/').pathname,
    ]);
    expect(all.length).toBeGreaterThan(3);
    expect(found).toEqual(all);
  });

  it('follows all chunks of esbuild', async () => {
    const outdir = join(folder, 'esbuild');
    const options = { bundle: true, splitting: true, format: 'esm', minify: true, outdir } as const;
    await esbuild.build({ ...options, entryPoints: [join(folder, 'main.js')] });
    const { all, found } = await followed(outdir, ['/main.js']);
    expect(all.length).toBeGreaterThan(3);
    expect(found).toEqual(all);
  });
});

it.each<[string, string, string, readonly string[]]>([
  [
    'webpack, with tables of names and hashes',
    '/static/js/main.1.js',
    'r.u=e=>"static/js/"+({179:"admin"}[e]||e)+"."+{179:"3f9a1c2b",453:"9b1c3f2a"}[e]+".chunk.js",r.miniCssF=e=>"static/css/"+e+".css"',
    ['/static/js/admin.3f9a1c2b.chunk.js', '/static/js/453.9b1c3f2a.chunk.js'],
  ],
  [
    'webpack, unminified',
    '/js/main.js',
    '__webpack_require__.u = function(chunkId) {\n  // return url for filenames based on template\n  return "js/" + chunkId + "." + {"src_admin_js":"abc123"}[chunkId] + ".js";\n};',
    ['/js/src_admin_js.abc123.js'],
  ],
  [
    'webpack without a folder',
    '/assets/main.js',
    'o.u=e=>e+"."+{12:"aa11bb22",34:"cc33dd44"}[e]+".js"',
    ['/assets/12.aa11bb22.js', '/assets/34.cc33dd44.js'],
  ],
  [
    'Next.js, with conditions',
    '/_next/static/chunks/webpack-1.js',
    'a.u=function(e){return 811===e?"static/chunks/811-1a.js":72===e?"static/chunks/72-2b.js":"static/chunks/"+e+"."+{5:"c3"}[e]+".js"}',
    ['/_next/static/chunks/811-1a.js', '/_next/static/chunks/72-2b.js', '/_next/static/chunks/5.c3.js'],
  ],
  [
    'a build manifest of Next.js',
    '/_next/static/id/_buildManifest.js',
    'self.__BUILD_MANIFEST=function(s){return{"/":[s,"static/chunks/pages/index-1a.js"],"/u/[id]":["static/chunks/pages/u/[id]-2b.js","static/css/a.css"]}}("static/chunks/3-c.js")',
    [
      '/_next/static/chunks/pages/index-1a.js',
      '/_next/static/chunks/pages/u/%5Bid%5D-2b.js',
      '/_next/static/chunks/3-c.js',
    ].map(decodeURI),
  ],
  [
    'workers',
    '/js/app.js',
    'new Worker(new URL("work.js",import.meta.url));navigator.serviceWorker.register("/sw.js");importScripts(`/lib/a.js`)',
    ['/js/work.js', '/sw.js', '/lib/a.js'],
  ],
  [
    'no texts that only look like files',
    '/js/app.js',
    'throw"see docs/guide.js or ./x";t("other/place/file.js");k="a.js";import("./"+l+".js");import(`./' +
      '$' +
      '{x}.js`)',
    [],
  ],
])('finds scripts of %s', (_, url, text, expected) => {
  expect(pathsIn(text, url).map(decodeURI)).toEqual(expected);
});

it('builds no names of chunks from more terms than bundlers write', () => {
  const chunks = (terms: number) => `.u=e=>${'"a"+'.repeat(terms)}{1:"b",2:"c"}[e]+".js";`;
  expect(pathsIn(chunks(3), '/x/main.js').length).toBe(2);
  // Names of so many terms, 500 of them, would take all memory.
  expect(pathsIn(chunks(30), '/x/main.js')).toEqual([]);
});

it('finds scripts that the page names for Next.js', () => {
  const text = 'self.__next_f.push([1,"a:I[\\"12\\",[\\"12\\",\\"static/chunks/app/page-1a.js\\"]]"])';
  expect(pathsIn(text, '/', true)).toEqual(['/_next/static/chunks/app/page-1a.js']);
});
