import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestServer } from '../../../test/support/website.ts';
import type { Family } from '../case.ts';
import { plainServer, websiteCase } from '../website-case.ts';

const program = fileURLToPath(new URL('../flawed-application.py', import.meta.url));

/** Starts the application with a flaw, on a free loopback port. */
async function start(flaw: string): Promise<TestServer> {
  const child = spawn('python3', [program, flaw], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    port: Number(line),
    close: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const flaws: Readonly<Record<string, readonly string[]>> = {
  none: [],
  sql: ['injection.sql parameter name', 'injection.sql parameter id'],
  // The name is an error without any quotes, which proves nothing.
  'sql-number': ['injection.sql parameter id'],
  // Without a message, only waiting or guessing would show it.
  'sql-quiet': [],
  'sql-path': ['injection.sql /doctors/'],
  'sql-search': ['injection.sql /search'],
  'sql-json': ['injection.sql /api/search'],
  file: ['injection.file_path parameter file'],
  redirect: ['injection.open_redirect parameter next'],
  'redirect-slashes': ['injection.open_redirect parameter next'],
  template: ['injection.template parameter name'],
};

export const injectionFamily: Family = {
  name: 'injection',
  cases: Object.entries(flaws).map(([flaw, inFullScans]) =>
    websiteCase({
      name: flaw,
      flaws: [],
      inFullScans,
      also: plainServer,
      start: () => start(flaw),
      host: port => `http://portal.clinic.com:${port}/`,
    }),
  ),
};
