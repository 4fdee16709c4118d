import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { build } from 'vite';
import { type Application, command } from './packages.ts';

const production = { 'process.env.NODE_ENV': '"production"' };

/** Imports of packages that are not installed stay in the bundle. */
const missingIsExternal: esbuild.Plugin = {
  name: 'missing-is-external',
  setup(build) {
    build.onResolve({ filter: /.*/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'asked' || from.kind === 'entry-point') return undefined;
      const found = await build.resolve(path, { ...from, pluginData: 'asked' });
      if (found.errors.length > 0) return { path, external: true };
      // A browser field may disable a module of Node.js.
      return found.namespace === 'file' ? found : undefined;
    });
  },
};

/** Minified, without comments. */
export async function withEsbuild({ folder, script }: Application): Promise<string> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: script, resolveDir: folder },
    bundle: true,
    minify: true,
    legalComments: 'none',
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    define: production,
    plugins: [missingIsExternal],
    loader: { '.css': 'empty', '.svg': 'empty' },
  });
  return outputFiles[0]!.text;
}

/** Rolldown, minified, without comments. */
export async function withVite({ folder, script, external }: Application): Promise<string> {
  const input = join(folder, 'application.mjs');
  writeFileSync(input, script);
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    define: production,
    build: {
      write: false,
      copyPublicDir: false,
      modulePreload: false,
      rolldownOptions: {
        input,
        external: id => external.some(other => id === other || id.startsWith(other.replace(/\*$/, ''))),
        output: { comments: false },
      },
    },
  });
  const outputs = [result].flat().flatMap(each => ('output' in each ? each.output : []));
  return outputs.map(part => ('code' in part ? part.code : '')).join('\n');
}

const tools = join(tmpdir(), 'parapet-library-tools');
const packages = ['webpack@5.113.0', 'terser-webpack-plugin@5.6.1'];

/** With Terser, without comments. Neither is a dependency: they are installed in a temporary folder. */
export async function withWebpack({ folder, script, external }: Application): Promise<string> {
  if (!existsSync(join(tools, 'node_modules', 'webpack'))) {
    await command('npm', ['install', '--silent', '--prefix', tools, ...packages]);
  }
  const load = createRequire(join(tools, 'index.js'));
  const Terser = load('terser-webpack-plugin');
  const entry = join(folder, 'application.mjs');
  writeFileSync(entry, script);
  const target = join(folder, 'built');
  return new Promise((resolve, reject) => {
    load('webpack')(
      {
        mode: 'production',
        entry,
        output: { path: target, filename: 'main.js' },
        externals: Object.fromEntries(external.map(other => [other, 'other'])),
        performance: false,
        optimization: {
          minimizer: [new Terser({ extractComments: false, terserOptions: { format: { comments: false } } })],
        },
      },
      (error: Error | null) => {
        const file = join(target, 'main.js');
        if (error !== null || !existsSync(file)) return reject(error ?? new Error('Nothing was built'));
        const text = readFileSync(file, 'utf8');
        rmSync(target, { recursive: true });
        resolve(text);
      },
    );
  });
}
