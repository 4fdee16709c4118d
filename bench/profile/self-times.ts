import { readFileSync } from 'node:fs';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** Microseconds on the clock of `process.hrtime`. */
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface SelfTime {
  readonly name: string;
  readonly milliseconds: number;
  /** As a share of the time in which the process was not idle. */
  readonly share: number;
}

/**
 * Self times of a `--cpu-prof` from a moment on, by package (or folder in src) and by function, in descending
 * order.
 */
export function selfTimes(file: string, since: bigint): { packages: SelfTime[]; functions: SelfTime[] } {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const frames = new Map(profile.nodes.map(node => [node.id, node.callFrame]));
  const packages = new Map<string, number>();
  const functions = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, time: number) =>
    sums.set(name, (sums.get(name) ?? 0) + time);
  let now = profile.startTime;
  profile.samples.forEach((sample, index) => {
    now += profile.timeDeltas[index]!;
    if (now * 1000 < Number(since)) return;
    const { functionName, url, lineNumber } = frames.get(sample)!;
    if (functionName === '(idle)') return;
    const time = profile.timeDeltas[index]! / 1000;
    const owner = ownerOf(functionName, url);
    add(packages, owner, time);
    add(functions, `${owner}  ${functionName || '(anonymous)'} ${placeOf(url, lineNumber)}`, time);
  });
  return { packages: sorted(packages), functions: sorted(functions) };
}

function ownerOf(functionName: string, url: string): string {
  if (url.startsWith('node:')) return `node ${url.slice('node:'.length).replace(/^internal\//, '')}`;
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1];
  if (dependency) return dependency;
  const ours = /\/(?:dist|src)\/([^/]+)\//.exec(url)?.[1];
  if (ours) return `src/${ours}`;
  // V8's entries, such as (garbage collector) and (program), and code without a file: native and generated
  // code.
  return functionName.startsWith('(') ? functionName : url === '' ? 'native or generated' : url;
}

function placeOf(url: string, line: number): string {
  return url === '' ? '' : `${url.split('/').at(-1)}:${line + 1}`;
}

function sorted(sums: Map<string, number>): SelfTime[] {
  const total = [...sums.values()].reduce((sum, time) => sum + time, 0);
  return [...sums]
    .map(([name, milliseconds]) => ({ name, milliseconds, share: milliseconds / total }))
    .toSorted((a, b) => b.milliseconds - a.milliseconds);
}

/** One line each: share, milliseconds divided by `count`, name. */
export function printSelfTimes(title: string, times: readonly SelfTime[], count: number): void {
  process.stdout.write(`\n${title}\n`);
  for (const { name, milliseconds, share } of times) {
    const each = (milliseconds / count).toFixed(2);
    process.stdout.write(`${(share * 100).toFixed(1).padStart(5)} %  ${each.padStart(7)}  ${name}\n`);
  }
}
