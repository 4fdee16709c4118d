import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

/**
 * Tests the main ways through the service with the other releases of Node.js that it supports, from their npm packages: the oldest of
 * each line. `npm test` uses the one that runs it.
 */
const releases = ['20.20.2', '22.22.2', '24.14.1'];
const files = [
  'src/sandbox/sandbox.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/processes.test.ts',
  'test/e2e/signing-examples.test.ts',
];

const folder = await mkdtemp(join(tmpdir(), 'parapet-node-'));
// As root, sandbox processes run as another user.
await chmod(folder, 0o755);
try {
  for (const release of releases.filter(each => `v${each}` !== process.version)) {
    const node = `node-${process.platform}-${process.arch}@${release}`;
    run('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', folder, node]);
    const program = join(folder, 'node_modules', node.split('@')[0]!, 'bin/node');
    process.stdout.write(`\nNode.js ${release}\n`);
    // For programs that a test finds by name.
    const PATH = `${dirname(program)}:${process.env.PATH}`;
    run(program, ['node_modules/vitest/vitest.mjs', 'run', ...files], { ...process.env, PATH });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
