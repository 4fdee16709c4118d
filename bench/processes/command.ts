import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { peakMegabytes } from './memory.ts';

const program = fileURLToPath(new URL('../../dist/main/parapet.js', import.meta.url));

export interface CommandCost {
  readonly seconds: number;
  /** The peak memory of its process, without that of PostgreSQL. */
  readonly megabytes: number;
}

/** Runs a command of the built program. Throws if it fails. */
export async function measureCommand(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandCost> {
  const began = performance.now();
  const child = spawn(process.execPath, [program, ...parameters], {
    env: { PATH: process.env.PATH!, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let megabytes = 0;
  // What happens in the last moment is missed.
  const sampling = setInterval(() => {
    try {
      megabytes = peakMegabytes(child.pid!);
    } catch {
      // It has ended: `exit` follows.
    }
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(sampling);
  if (code !== 0) throw new Error(`parapet ${parameters.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1_000, megabytes };
}
