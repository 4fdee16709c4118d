import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { keepBundledPackages } from './sbom/bundled-packages.ts';

/**
 * Builds what Node runs: into dist/main the command line with what it starts as a thread or a process, and into one file,
 * dist/sandbox.cjs, the program of the sandbox processes, which may read no other. From few files a program starts in two thirds of
 * the time that it takes from a thousand.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const always = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
  write: false,
} satisfies BuildOptions;

const main = 'dist/main';
const programs = await build({
  ...always,
  entryPoints: [
    'src/main/parapet.ts',
    'src/sandbox/spawner-program.ts',
    'src/dashboard/file-kind-program.ts',
    'src/dashboard/sign-in/password-judge-program.ts',
    'src/dashboard/audit-pack/report-program.ts',
  ],
  outdir: main,
  entryNames: '[name]',
  splitting: true,
  format: 'esm',
  // Errors are known by the names of their classes.
  keepNames: true,
  // These find files of their own beside their code, or have native parts.
  external: [
    '@fastify/swagger',
    '@fastify/swagger-ui',
    '@node-rs/argon2',
    'pdfkit',
    'pg-native',
    'sodium-native',
  ],
  // Packages in the older form of modules ask for parts of Node in their own way.
  banner: {
    js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
  },
});
const sandbox = await build({
  ...always,
  entryPoints: ['src/sandbox/program.ts'],
  outfile: 'dist/sandbox.cjs',
  format: 'cjs',
});

const aDay = 24 * 3_600_000;

/** Nothing is written that has not changed, and nobody reads half a file. */
function keep({ path, contents }: { path: string; contents: Uint8Array }): void {
  if (!existsSync(path) || !readFileSync(path).equals(contents)) {
    mkdirSync(dirname(path), { recursive: true });
    const unfinished = `${path}-${process.pid}`;
    writeFileSync(unfinished, contents);
    chmodSync(unfinished, basename(path) === 'parapet.js' ? 0o755 : 0o644);
    renameSync(unfinished, path);
  }
  // Of when it was last a part of the programs.
  utimesSync(path, new Date(), new Date());
}

// What others load comes before what loads it.
const isEntry = ({ path }: { path: string }) => !/chunk-\w+\.js$/.test(path);
for (const file of programs.outputFiles.toSorted(
  (one, other) => Number(isEntry(one)) - Number(isEntry(other)),
))
  keep(file);
for (const file of sandbox.outputFiles) keep(file);
// A service that runs may load what was built before: that stays for a day.
const current = new Set(programs.outputFiles.map(({ path }) => relative(root + main, path)));
for (const name of readdirSync(root + main)) {
  const path = `${root}${main}/${name}`;
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (!current.has(name) && changedAt < Date.now() - aDay) rmSync(path, { recursive: true, force: true });
}
const inputsOf = ({ metafile: { outputs } }: typeof programs | typeof sandbox) =>
  Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
keepBundledPackages(`${root}dist/programs.packages.json`, inputsOf(programs));
keepBundledPackages(`${root}dist/sandbox.packages.json`, inputsOf(sandbox));
