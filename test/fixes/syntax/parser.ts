import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Step } from '../../../src/detectors/remediation/step.ts';

/** Code as printed, and its place. */
export type Snippet = Pick<Step, 'place' | 'code'>;

/** A program that parses the code of some places. */
export interface Parser {
  /** As in the table of places. */
  readonly name: string;
  readonly program: string;
  /** The installed version, such as `1.22.1`. */
  version(): Promise<string>;
  /**
   * The program's error for each snippet; null if it accepts it.
   *
   * @param folder an empty folder for its files
   */
  refusals(snippets: readonly Snippet[], folder: string): Promise<(string | null)[]>;
}

/** @param pattern matches the version in the program's output */
export async function versionOf(
  program: string,
  parameters: readonly string[],
  pattern = /(\d+(?:\.\d+)+)/,
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, parameters);
  return pattern.exec(stdout + stderr)?.[1] ?? 'unknown';
}

/**
 * Has a program check a configuration file that contains all snippets, and if it refuses that, one for each.
 *
 * @param write the file's content for some of the snippets, each with its index
 * @param command that ends with an error if the file is wrong
 */
export async function checkedTogether(
  snippets: readonly Snippet[],
  write: (some: readonly (Snippet & { readonly index: number })[]) => string,
  command: (text: string, name: string) => Promise<string | null>,
): Promise<(string | null)[]> {
  const all = snippets.map((snippet, index) => ({ ...snippet, index }));
  if ((await command(write(all), 'all')) === null) return snippets.map(() => null);
  return Promise.all(all.map(one => command(write([one]), String(one.index))));
}

/** Runs a command on a file: what it printed if it failed. @param parameters with `FILE` for the file's path */
export async function checkedFile(
  folder: string,
  name: string,
  content: string,
  program: string,
  parameters: readonly string[],
): Promise<string | null> {
  const file = join(folder, name);
  await writeFile(file, content);
  const child = spawn(
    program,
    parameters.map(parameter => parameter.replace('FILE', file)),
    { cwd: folder, env: { ...process.env, HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return code === 0 ? null : stdout + stderr;
}

/** Runs a program that reads the snippets as JSON and answers with a list of messages or null. */
export async function judgedBy(
  program: string,
  parameters: readonly string[],
  snippets: readonly Snippet[],
): Promise<(string | null)[]> {
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(snippets.map(({ place, code }) => ({ place, code }))));
  return JSON.parse(await text(child.stdout));
}
