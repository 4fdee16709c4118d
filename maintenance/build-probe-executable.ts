import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'postject';

/**
 * Builds the probe as one executable for this platform: this Node with the program inside (single executable
 * application). The target's host needs no Node.
 *
 *     tsx maintenance/build-probe-executable.ts [file]
 */
const root = fileURLToPath(new URL('../', import.meta.url));
const [, , file = `${root}dist/parapet-probe`] = process.argv;

/** Marks the place in Node's executable that says whether a program is inside. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

// The injector warns of a section without a name in Node's executable, many times, and it does no harm.
const { warn } = console;
console.warn = (text: unknown) => {
  if (!String(text).startsWith("warning: Can't find string offset for section name '.note")) warn(text);
};

const folder = mkdtempSync(join(tmpdir(), 'parapet-probe-build-'));
try {
  const blob = join(folder, 'program.blob');
  const settings = {
    main: `${root}dist/parapet-probe.cjs`,
    output: blob,
    disableExperimentalSEAWarning: true,
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  execFileSync(process.execPath, ['--experimental-sea-config', join(folder, 'settings.json')]);
  const unfinished = `${file}-${process.pid}`;
  copyFileSync(process.execPath, unfinished);
  // Node may be installed without write permission.
  chmodSync(unfinished, 0o755);
  await inject(unfinished, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse });
  renameSync(unfinished, file);
  for (const built of [settings.main, file]) {
    process.stdout.write(
      `${relative(process.cwd(), built)}: ${(statSync(built).size / 1e6).toFixed(1)} MB\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
