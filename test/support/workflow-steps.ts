import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface ActionStep {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

export interface CompositeAction {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

export function readYaml<T>(file: URL): T {
  return parse(readFileSync(file, 'utf8')) as T;
}

/** Values of a run, by their names in expressions: `inputs.url`, `steps.scan.outputs.status`. */
export type Values = Map<string, string>;

/** The text with its `${{ }}` replaced. An unknown name is empty, as on GitHub. */
export function evaluate(text: string, values: Values): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values.get(name) ?? '');
}

/** A condition of comparisons with texts, joined by `&&`. */
export function isMet(condition: string | undefined, values: Values): boolean {
  if (condition === undefined) return true;
  return condition.split(' && ').every(part => {
    if (part === 'always()') return true;
    const [, name, operator, text] = /^([\w.-]+) (==|!=) '([^']*)'$/.exec(part)!;
    return ((values.get(name!) ?? '') === text) === (operator === '==');
  });
}

/** Runs a script as a runner does. */
export async function runScript(
  script: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  shell: readonly string[] = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'],
): Promise<{ status: number | null; output: string }> {
  const [command, ...options] = shell;
  const child = spawn(command!, [...options, '-c', script], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  const status = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { status, output };
}
