import { Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { withinTime } from '../domain/within-time.ts';
import { isAllocationFailure } from '../scan/allocation-failure.ts';
import { inspect } from '../scan/inspect.ts';
import { proveDomain } from '../scan/prove-domain.ts';
import { testConnection } from '../scan/test-connection.ts';
import { createTargetGuard } from '../surfaces/connection/target-guard.ts';
import { postMessage } from '../surfaces/webhook/post-message.ts';
import { readLines } from './read-lines.ts';
import type { ReachSettings, TaskAnswer, TaskName, TaskRequest, Tasks } from './tasks.ts';

// The program of a sandbox process, the only one that connects to targets and reads their data. It is bundled into a
// single file and has no environment, no files and no secret except the source's credential.

interface Reach {
  readonly guard: ReturnType<typeof createTargetGuard>;
  readonly userAgent: string;
  readonly trustedRoots?: readonly string[];
}

const postTimeoutMs = 8_000;

const tasks: {
  readonly [Name in TaskName]: (input: Tasks[Name]['input'], reach: Reach) => Promise<unknown>;
} = {
  inspect: ({ source, detectors, depth, proof, place, openPlaces, openSubjects, maskKey }, reach) =>
    // Nothing aborts this signal: to stop a scan, the service kills the process.
    inspect(source, detectors, {
      ...reach,
      signal: new AbortController().signal,
      depth,
      ...(proof === null ? {} : { proof }),
      ...(place === null ? {} : { place }),
      openPlaces,
      openSubjects,
      ...(maskKey === undefined ? {} : { maskKey }),
    }),
  test_connection: ({ source }, reach) => testConnection(source, reach),
  prove_domain: ({ host, token }, reach) => proveDomain(host, token, reach),
  post_message: ({ url, body, allowlist }, reach) =>
    withinTime(postTimeoutMs, undefined, signal =>
      postMessage(url, body, { ...reach, guard: createTargetGuard({ allowlist }), signal }),
    ),
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

function reachOf({ allowlist, ownPlace, userAgent, authorities }: ReachSettings): Reach {
  const guard = createTargetGuard({ allowlist, ...(ownPlace ? { ownPlace } : {}) });
  return { guard, userAgent, ...(authorities ? { trustedRoots: [...rootCertificates, authorities] } : {}) };
}

/** Positions in Parapet's own code. The message is left out, since it may quote the target or contain a credential. */
function placesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const frames = (error.stack ?? '').split('\n').filter(line => /^ {4}at /.test(line));
  return [error.name, ...frames.flatMap(line => /\[stdin\]:\d+:\d+/.exec(line)?.[0] ?? [])].slice(0, 12);
}

// If the service exits, the channel closes.
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
