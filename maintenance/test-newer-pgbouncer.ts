import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

/**
 * Tests what goes through a pooler with the PgBouncer of Debian's next release, whose files are only extracted: `npm test` uses the
 * installed one.
 */
const release = 'trixie';
const files = ['test/database/pooler.test.ts', 'test/e2e/pooler.test.ts'];

const folder = await mkdtemp(join(tmpdir(), 'parapet-pgbouncer-'));
// As root, PgBouncer runs as another user.
await chmod(folder, 0o755);
try {
  const root = join(folder, 'root');
  run('mmdebstrap', ['--quiet', '--variant=extract', '--include=pgbouncer', release, root]);
  const libraries = join(root, 'usr/lib/x86_64-linux-gnu');
  const program = join(folder, 'pgbouncer');
  const line = `exec ${root}/usr/lib64/ld-linux-x86-64.so.2 --library-path ${libraries}:${libraries}/systemd ${root}/usr/sbin/pgbouncer "$@"`;
  await writeFile(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  run(program, ['--version']);
  const env = { ...process.env, PARAPET_TEST_PGBOUNCER: program };
  run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files], env);
} finally {
  await rm(folder, { recursive: true, force: true });
}
