import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/**
 * Runs the program on standard input as Node does with `node -`: a single executable
 * contains its program, and starts sandbox processes with itself.
 */
export function runGivenProgram(): void {
  setFlagsFromString('--heap-growing-percent=70');
  const code = readFileSync(0, 'utf8');
  // Its stack traces are recognized by this name.
  const run = new Script(`(function (require) {${code}\n})`, { filename: '[stdin]' }).runInThisContext();
  run(createRequire(process.execPath));
}
