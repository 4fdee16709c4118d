import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { Client } from '../client.ts';
import { ClientError } from '../client-error.ts';
import { hintsFor401, requestIdLine } from '../refusal-hints.ts';
import { readClientSettings } from '../settings.ts';
import { forTerminal } from '../terminal.ts';

export function addCall(program: Command): void {
  program
    .command('call')
    .description('send a signed request and print the answer')
    .argument('<method>', 'GET, HEAD, POST or DELETE')
    .argument('<path>', 'path and query, starting with /api/v1 or /functions/v1')
    .option('--body <json>', 'request body: JSON, @file, or - for standard input')
    .addHelpText(
      'after',
      [
        '',
        'Environment: PARAPET_URL (default http://127.0.0.1:8080), PARAPET_TOKEN, PARAPET_TOKEN_ID,',
        'PARAPET_SIGNING_KEY, and PARAPET_BRAND if the service sets it.',
        'Prints the body to standard output, and the status to standard error, with the request ID of an error.',
        'Exit status: 0 for 2xx, 1 otherwise.',
      ].join('\n'),
    )
    .action(run);
}

async function run(method: string, path: string, options: { body?: string }): Promise<void> {
  const client = new Client(readClientSettings(process.env));
  const body = await readBody(options.body);
  const answer = await client.send(method.toUpperCase(), path, { body });
  process.stderr.write(forTerminal(`HTTP ${answer.status} ${answer.statusText}`).trimEnd().concat('\n'));
  process.stdout.write(process.stdout.isTTY ? forPeople(answer.bytes) : answer.bytes);
  if (answer.status >= 400) {
    const hints = answer.status === 401 ? hintsFor401(answer, client.settings.token) : [];
    process.stderr.write([...requestIdLine(answer), ...hints].map(line => `${line}\n`).join(''));
  }
  // Not process.exit, which would truncate output that is still buffered for a pipe.
  process.exitCode = answer.status >= 200 && answer.status < 300 ? 0 : 1;
}

/** Unparsed: the signature covers the exact bytes. */
async function readBody(given: string | undefined): Promise<string | Uint8Array | undefined> {
  if (given === '-') return buffer(process.stdin);
  if (!given?.startsWith('@')) return given;
  try {
    return await readFile(given.slice(1));
  } catch (error) {
    throw new ClientError(`--body: ${(error as Error).message}`);
  }
}

function forPeople(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (text === '') return '';
  try {
    return `${forTerminal(JSON.stringify(JSON.parse(text), null, 2))}\n`;
  } catch {
    return `${forTerminal(text)}\n`;
  }
}
