import { Session } from 'node:inspector';

/**
 * How often each function of the sources ran during the work, by `file name`, such as `api/ed25519.ts verifyEd25519`.
 */
export async function callsDuring(work: () => Promise<void>): Promise<ReadonlyMap<string, number>> {
  const session = new Session();
  session.connect();
  const post = (method: string, options = {}) =>
    new Promise<unknown>((resolve, reject) =>
      session.post(method, options, (error, result) => (error ? reject(error) : resolve(result))),
    );
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Calls while modules were loaded do not count.
  await post('Profiler.takePreciseCoverage');
  await work();
  const { result } = (await post('Profiler.takePreciseCoverage')) as {
    result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
  };
  session.disconnect();
  const calls = new Map<string, number>();
  for (const { url, functions } of result) {
    const [, file] = /\/src\/([^?]+)/.exec(url) ?? [];
    for (const { functionName, ranges } of functions) {
      const name = `${file} ${functionName}`;
      const count = (calls.get(name) ?? 0) + ranges[0]!.count;
      if (file !== undefined && count > 0) calls.set(name, count);
    }
  }
  return calls;
}
