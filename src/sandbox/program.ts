import { Socket } from 'node:net';
import { isAllocationFailure } from '../scan/allocation-failure.ts';
import { inspect } from '../scan/inspect.ts';
import { proveDomain } from '../scan/prove-domain.ts';
import { testConnection } from '../scan/test-connection.ts';
import { createTargetGuard } from '../surfaces/connection/target-guard.ts';
import { readLines } from './read-lines.ts';
import type { ReachSettings, TaskAnswer, TaskName, TaskRequest, Tasks } from './tasks.ts';

// The program of a sandbox process: the only one that connects to targets and reads what they send. It is bundled into one
// file, which is all that the process is given; it has no environment, no files and no secret but a source's credential.

type Reach = { readonly guard: ReturnType<typeof createTargetGuard>; readonly userAgent: string };

const tasks: {
  readonly [Name in TaskName]: (input: Tasks[Name]['input'], reach: Reach) => Promise<unknown>;
} = {
  inspect: ({ source, detectors, depth, proof, place, openPlaces, openSubjects }, reach) =>
    // The service kills the process where a scan is stopped: nothing else aborts it.
    inspect(source, detectors, {
      ...reach,
      signal: new AbortController().signal,
      depth,
      ...(proof === null ? {} : { proof }),
      ...(place === null ? {} : { place }),
      openPlaces,
      openSubjects,
    }),
  test_connection: ({ source }, reach) => testConnection(source, reach),
  prove_domain: ({ host, token }, reach) => proveDomain(host, token, reach),
};

async function answer({ id, task, input, settings }: TaskRequest): Promise<TaskAnswer> {
  try {
    return { id, result: await tasks[task](input as never, reachOf(settings)) };
  } catch (error) {
    if (isAllocationFailure(error)) {
      process.stderr.write('out of memory\n');
      process.exit(1);
    }
    return { id, fault: placesOf(error) };
  }
}

function reachOf({ allowlist, userAgent }: ReachSettings): Reach {
  return { guard: createTargetGuard({ allowlist }), userAgent };
}

/** Where in our own code it was thrown. The message may be the target's words, or hold a credential. */
function placesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const frames = (error.stack ?? '').split('\n').filter(line => /^ {4}at /.test(line));
  return [error.name, ...frames.flatMap(line => /\[stdin\]:\d+:\d+/.exec(line)?.[0] ?? [])].slice(0, 12);
}

// A service that has gone closes the channel.
const channel = new Socket({ fd: 3 });
channel.on('close', () => process.exit());
channel.on('error', () => process.exit());
const unbounded = Number.POSITIVE_INFINITY;
readLines(
  channel,
  { bytes: unbounded, values: unbounded, depth: unbounded },
  {
    onLine: async line => channel.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`),
    onTooMuch: () => {},
  },
);
