import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib';
import { listPackages } from './sbom/list-packages.ts';

/** Builds the dashboard's pages into dist/web, unless their inputs are unchanged. */
const root = fileURLToPath(new URL('../', import.meta.url));
const sources = [
  'web',
  'src/contract',
  'package-lock.json',
  'maintenance/build-pages.ts',
  'maintenance/sbom',
];
const target = join(root, 'dist/web');
const [brotli, gzip] = [promisify(brotliCompress), promisify(gzipCompress)];

function changedAt(path: string): number {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry?.isDirectory()) return entry?.mtimeMs ?? 0;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map(name => changedAt(join(path, name))));
}

/** Next to each file, so that no request needs to compress it. */
async function compress(folder: string): Promise<void> {
  const names = readdirSync(folder).filter(name => /\.(js|css)$/.test(name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await Promise.all(
    names.map(async name => {
      const content = readFileSync(join(folder, name));
      writeFileSync(join(folder, `${name}.br`), await brotli(content, { params }));
      writeFileSync(join(folder, `${name}.gz`), await gzip(content, { level: 9 }));
    }),
  );
}

/**
 * The scripts and styles of each page that the entry does not load, and its header, for `src/dashboard/early-loads.ts`.
 */
function writeRoutes(folder: string): void {
  const manifest: Record<string, { file: string; imports?: string[]; css?: string[] }> = JSON.parse(
    readFileSync(join(folder, '.vite/manifest.json'), 'utf8'),
  );
  const loadedFor = (name: string) => {
    const names = new Set([name]);
    for (const each of names) for (const imported of manifest[each]?.imports ?? []) names.add(imported);
    return [...names].flatMap(each => manifest[each] ?? []);
  };
  const entry = new Set(loadedFor('page.html'));
  const pages = readFileSync(join(root, 'web/routes.tsx'), 'utf8').matchAll(
    /\[(?:'([^']+)'|paths\.(\w+)), \(\) => import\('\.\/([^']+)'\)\]/g,
  );
  const paths = new Map(
    Array.from(
      readFileSync(join(root, 'web/paths.ts'), 'utf8').matchAll(/^ {2}(\w+): '([^']+)',$/gm),
      found => [found[1]!, found[2]!],
    ),
  );
  const routes = [...pages].map(([, pattern, entrance, source]) => {
    const chunks = loadedFor(source!).filter(chunk => !entry.has(chunk));
    return {
      pattern: pattern ?? paths.get(entrance!),
      scripts: chunks.map(({ file }) => file),
      styles: [...new Set(chunks.flatMap(({ css = [] }) => css))],
      header: headerOf(join(root, 'web', source!)),
    };
  });
  writeFileSync(join(folder, 'routes.json'), JSON.stringify(routes));
}

/** The texts of the header of a page; null if they depend on data, or if a link is above them. */
function headerOf(file: string): { title: string; description: string } | null {
  const header = /<(?:PageHeader|Entrance|LinkPreview)\s([^>{]*)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const textOf = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(header)?.[1];
  const title = textOf('title');
  return title === undefined || header.includes('back=')
    ? null
    : { title, description: textOf('description') ?? '' };
}

const startedAt = Date.now();
const builtAt = statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (Math.max(...sources.map(source => changedAt(join(root, source)))) >= builtAt) {
  const { build } = await import('vite');
  // Built in a separate folder and swapped in at once, so that a running service never serves a partial
  // build.
  const outDir = `${target}-${process.pid}`;
  await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    plugins: [listPackages],
    build: { outDir },
  });
  await compress(join(outDir, 'assets'));
  writeRoutes(outDir);
  // The time before the build, so that changes during the build trigger another.
  utimesSync(outDir, startedAt / 1000, startedAt / 1000);
  rmSync(target, { recursive: true, force: true });
  renameSync(outDir, target);
  console.log(`pages built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}
