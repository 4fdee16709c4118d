import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, it } from 'vitest';
import { addShieldCommands } from './commands.ts';

const home = mkdtempSync(join(tmpdir(), 'parapet-shield-'));
afterAll(() => rmSync(home, { recursive: true }));

function run(...parameters: string[]): Promise<unknown> {
  const program = new Command();
  addShieldCommands(program, { name: 'parapet shield', version: '1' });
  return program.parseAsync(parameters, { from: 'user' });
}

it('writes no configuration for a folder that does not exist', async () => {
  const root = join(home, 'missing');
  const file = join(home, 'shield.yaml');
  await expect(run('init', '--root', root, '--config', file)).rejects.toThrow(`${root} is not a folder`);
  expect(existsSync(file)).toBe(false);
});

it('names a configuration that does not exist, without a line', async () => {
  const file = join(home, 'none.yaml');
  await expect(run('check', '--config', file)).rejects.toThrow(
    `${file} does not exist: \`parapet shield init\` writes an example`,
  );
});
