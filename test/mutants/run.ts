import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Lane } from './lane.ts';
import { mutants } from './list.ts';
import type { Outcome, TestName } from './mutant.ts';
import { mutatePureModules } from './pure-modules.ts';
import { findStale } from './stale.ts';

/**
 * Removes one protection after another from a copy of the code, and expects its test to fail. Exits with an error if a
 * mutant survives, if its test did not reach an assertion, or if it no longer applies to the code. Without WORD,
 * Stryker then mutates the pure modules.
 *
 *     npm run mutants -- [--concurrency N] [WORD in names or files]
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' } },
});
const began = performance.now();
const chosen = mutants.filter(({ name, file }) =>
  positionals.every(word => `${name} ${file}`.includes(word)),
);
if (chosen.length === 0) fail('No mutant has these words in its name or file.');
const stale = findStale(chosen, root);
if (stale.length > 0) fail(stale.join('\n'));

const concurrency = Number(values.concurrency);
if (!(concurrency >= 1)) fail('--concurrency takes a number.');
const lanes = await Promise.all(Array.from({ length: concurrency }, () => Lane.open(root)));
process.once('SIGINT', () => void closeLanes().finally(() => process.exit(130)));
try {
  await verifyTests(chosen.map(({ killedBy }) => killedBy));
  let killed = 0;
  await inLanes(chosen, async (lane, mutant) => {
    const start = performance.now();
    const outcome = await lane.run(mutant.killedBy.file, patternOf(mutant.killedBy), mutant);
    const { word, why } = judge(outcome);
    if (word === 'killed') killed += 1;
    const where = `${mutant.killedBy.file}: ${why}`;
    process.stdout.write(`${word.padEnd(11)} ${seconds(start)}  ${mutant.name}\n    ${where}\n`);
  });
  process.stdout.write(`${killed} of ${chosen.length} mutants killed in ${seconds(began)}\n`);
  if (killed < chosen.length) process.exitCode = 1;
} finally {
  await closeLanes();
}
if (positionals.length === 0 && !(await mutatePureModules(root, concurrency))) process.exitCode = 1;

/** Without a mutation, every named test must pass. */
async function verifyTests(tests: readonly TestName[]): Promise<void> {
  const files = new Map<string, TestName[]>();
  for (const test of tests) files.set(test.file, [...(files.get(test.file) ?? []), test]);
  const problems: string[] = [];
  await inLanes([...files], async (lane, [file, named]) => {
    const { passed, failed, errors } = await lane.run(file, named.map(patternOf).join('|'));
    problems.push(...[...errors, ...failed.map(({ name, message }) => `${name}: ${message}`)].map(inFile));
    for (const { test } of named) {
      const matching = [...passed, ...failed.map(({ name }) => name)].filter(name => name.includes(test));
      if (errors.length === 0 && matching.length === 0) problems.push(inFile(`no test named "${test}" ran`));
    }
    function inFile(text: string): string {
      return `${file}: ${text}`;
    }
  });
  if (problems.length > 0) {
    await closeLanes();
    fail(`These must pass before anything is mutated:\n${problems.join('\n')}`);
  }
  process.stdout.write(`${files.size} test files pass unmutated, in ${seconds(began)}\n`);
}

function judge({ passed, failed, errors }: Outcome): { word: string; why: string } {
  const killer = failed.find(({ isAssertion }) => isAssertion);
  if (killer) return { word: 'killed', why: `${killer.name} (${firstLine(killer.message)})` };
  const reasons = [...failed.map(({ name, message }) => `${name}: ${message}`), ...errors];
  if (reasons.length > 0) return { word: 'did not run', why: firstLine(reasons[0]!) };
  return passed.length > 0
    ? { word: 'SURVIVED', why: passed.join(', ') }
    : { word: 'did not run', why: 'no test ran' };
}

/** Processes the items, one at a time in each lane. */
async function inLanes<T>(items: readonly T[], work: (lane: Lane, item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    lanes.map(async lane => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(lane, item);
    }),
  );
}

async function closeLanes(): Promise<void> {
  await Promise.all(lanes.map(lane => lane.close()));
}

/** Vitest matches names with spaces between them, and prints them with ">". */
function patternOf({ test }: TestName): string {
  return test.replaceAll(' > ', ' ').replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.slice(0, 160);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`.padStart(7);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
