import { rm } from 'node:fs/promises';
import { createVitest, type Reporter, type TestCase, type TestModule } from 'vitest/node';
import type { LaneRequest } from './lane.ts';
import type { FailedTest, Outcome } from './mutant.ts';

// Runs tests of the copy in its working folder, as often as requested. Vitest, its transformed modules, and the
// PostgreSQL of its global setup are kept between runs.

/** Without its protection, a test may wait forever. Nothing else takes this long. */
const longestMs = 120_000;

/** The modules of the current run; Vitest's own result includes those of earlier runs. */
let modules: TestModule[] = [];
const reporter: Reporter = { onTestModuleEnd: module => void modules.push(module) };
const vitest = await createVitest(
  'test',
  { watch: false, project: 'main', maxWorkers: 1, silent: true, reporters: [reporter] },
  { server: { watch: null } },
);

process.on('message', (request: LaneRequest) => {
  void runTests(request)
    .catch(error => ({ passed: [], failed: [], errors: [String(error)] }) satisfies Outcome)
    .then(outcome => process.connected && process.send!(outcome));
});
// Also if the runner was killed: no process is left.
process.once('disconnect', () => {
  void vitest
    .close()
    .then(() => rm(process.cwd(), { recursive: true, force: true }))
    .finally(() => process.exit());
});
process.send!('ready');

async function runTests({ file, pattern, changed }: LaneRequest): Promise<Outcome> {
  for (const path of changed) vitest.invalidateFile(path);
  const testNamePattern = new RegExp(pattern);
  const specifications = (await vitest.getRelevantTestSpecifications([file]))
    .filter(({ moduleId }) => moduleId.endsWith(`/${file}`))
    .map(({ project, moduleId }) => project.createSpecification(moduleId, { testNamePattern }));
  modules = [];
  let isStopped = false;
  const hanging = setTimeout(() => {
    isStopped = true;
    stopRun();
  }, longestMs);
  const { unhandledErrors } = await vitest
    .runTestSpecifications(specifications)
    .finally(() => clearTimeout(hanging));
  const tests = modules.flatMap(module => [...module.children.allTests()]);
  const passed = tests.filter(test => test.result().state === 'passed').map(({ fullName }) => fullName);
  if (isStopped) return { passed: [], failed: [], errors: [`no result within ${longestMs / 1000} s`] };
  const unhandled = unhandledErrors.map(error => (error as Error).message);
  const errors = [...unhandled, ...modules.flatMap(errorsOf)];
  return { passed, failed: tests.flatMap(failureOf), errors };
}

/** The first call requests the worker to stop, and the second one kills it. */
function stopRun(): void {
  void vitest.cancelCurrentRun('test-failure');
  void vitest.cancelCurrentRun('test-failure');
}

function failureOf(test: TestCase): FailedTest[] {
  const { state, errors } = test.result();
  if (state !== 'failed') return [];
  const assertion = errors.find(isAssertion);
  const message = (assertion ?? errors[0])?.message ?? '';
  return [{ name: test.fullName, message, isAssertion: assertion !== undefined }];
}

/** A failed fast-check property has the assertion as its cause. */
function isAssertion(error: { readonly name?: unknown; readonly cause?: unknown }): boolean {
  const { name, cause } = error;
  return name === 'AssertionError' || (typeof cause === 'object' && cause !== null && isAssertion(cause));
}

function errorsOf(module: TestModule): string[] {
  const suites = [...module.children.allSuites()];
  return [...module.errors(), ...suites.flatMap(suite => suite.errors())].map(({ message }) => message);
}
