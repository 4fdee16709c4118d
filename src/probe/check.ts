import { Clock } from '../agent/clock.ts';
import { requirePrivateFiles } from '../agent/private-files.ts';
import { batchOf } from '../agent/sender.ts';
import { checkKey } from '../agent/service-connection.ts';
import { describeCause } from '../domain/scan-causes.ts';
import { assess } from './assess.ts';
import type { ProbeConfiguration, Target } from './configuration.ts';
import { makeHeartbeat } from './heartbeat.ts';
import { Inventory } from './inventory.ts';
import type { ProbeParts } from './probe.ts';
import { completeEvent, type EventContent } from './recorder.ts';
import { newMaskKey, type TargetMemory, unseen } from './state.ts';

const emptySpool = { events: 0, bytes: 0, oldestAt: null, setAside: 0 };

/**
 * Tests the key and every target, and prints what would be sent: explanations on standard error, and the bodies of the
 * requests on standard output, one per line, byte for byte. Nothing is stored, and no event is sent.
 *
 * @returns whether all of it works
 */
export async function checkProbe(
  configuration: ProbeConfiguration,
  { version, sandbox }: Omit<ProbeParts, 'log'>,
): Promise<boolean> {
  await requirePrivateFiles(configuration);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const clock = new Clock();
  const key = await checkKey(configuration.service, clock, '/functions/v1/events-ingest');
  say(`${key.ok ? 'ok     ' : 'FAILED '} ${configuration.service.url}: ${key.words}`);
  const identity = { name: configuration.name, version, instance: '00000000-0000-4000-8000-000000000000' };
  const print = (content: EventContent) => {
    const event = completeEvent(content, identity, clock);
    process.stdout.write(`${batchOf([JSON.stringify(event)])}\n`);
  };
  const memories = new Map<string, TargetMemory>();
  let isFine = key.ok;
  for (const target of configuration.targets) {
    const log = (_: string, fields: object) => {
      const { message } = fields as { message?: unknown };
      if (message !== undefined) say(`        ${message}`);
    };
    say(`Assessing ${target.name} …`);
    const { events, memory } = await assess(target, unseen, {
      sandbox,
      maskKey: newMaskKey(),
      timestamp: () => clock.timestamp(),
      signal: new AbortController().signal,
      log,
    });
    memories.set(target.name, memory);
    const isOk = memory.state === 'ok';
    isFine &&= isOk;
    const results = events.flatMap(event => (event.kind === 'probe.assessment' ? event.results : []));
    const count = results.reduce((sum, { observations }) => sum + observations.length, 0);
    const reasons = results.flatMap(({ checks }) =>
      checks.flatMap(({ outcome, reason }) => (outcome === 'not_assessed' ? [reason] : [])),
    );
    say(
      isOk
        ? `ok      ${target.name}: ${results.length} detectors, ${count} findings`
        : `FAILED  ${target.name}: ${memory.errorCode}. ${explanationOf(memory.errorCode ?? 'crashed')}`,
    );
    if (reasons.length > 0) {
      say(`        not assessed: ${reasons.length === 1 ? '1 check' : `${reasons.length} checks`}, because:`);
      for (const reason of new Set(reasons)) say(`          ${reason}`);
    }
    for (const content of events) print(content);
  }
  const { targets, heartbeatSeconds, reportsInventory } = configuration;
  const memoryOf = ({ name }: Target) => memories.get(name) ?? unseen;
  print(makeHeartbeat(targets, memoryOf, clock.processStartedAt(), heartbeatSeconds, emptySpool));
  const seen = reportsInventory && (await new Inventory(targets).changed());
  if (seen) print({ kind: 'probe.inventory', seen });
  return isFine;
}

function explanationOf(cause: Parameters<typeof describeCause>[0]): string {
  // Its log is what was printed.
  return cause === 'credential_missing'
    ? 'The secret could not be read, for the reason above.'
    : describeCause(cause, 'probe');
}
