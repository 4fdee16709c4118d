import type { Mutant } from '../mutant.ts';

const byEvents = (test: string) => ({ file: 'test/worker/probe-events.test.ts', test });
const inbox = 'src/resources/events/inbox.ts';
const processing = 'src/worker/tasks/process-events.ts';
const turns = 'serves keys with slow events round-robin, also from where a turn ended';
const silent = 'does not call a probe silent that could not reach the service, or whose events wait';

/** Waiting events are bounded, processed in turns, and count only while their key does. */
export const waitingEventMutants: readonly Mutant[] = [
  {
    name: 'Waiting events of a revoked key count',
    file: inbox,
    search: 'case when k.revoked_at is not null then 0 else (',
    replacement: 'case when false then 0 else (',
    killedBy: byEvents('changes nothing by waiting events of a key that was revoked'),
  },
  {
    name: 'Any number of events of a key waits',
    file: inbox,
    search: 'order by sequence offset $1 limit 1) end',
    replacement: 'order by sequence offset $1 + 1000000 limit 1) end',
    killedBy: byEvents('bounds how many events of a key wait'),
  },
  {
    name: 'The events of one key are processed before those of others',
    file: processing,
    search: 'performance.now() - keySince >= keyMs',
    replacement: 'false',
    killedBy: byEvents(turns),
  },
  {
    name: 'Each turn begins with the events of the same key',
    file: processing,
    search: 'if (next) places.set(organizationId, next);',
    replacement: '',
    killedBy: byEvents(turns),
  },
  {
    name: 'Events of one organization that cannot be processed delay those of others',
    file: processing,
    search: 'if (error instanceof DatabaseUnavailable) throw error;\n      services.log',
    replacement: 'if (error) throw error;\n      services.log',
    killedBy: byEvents('processes the events of other organizations if those of one cannot be'),
  },
  {
    name: 'A large backlog is left out in one statement',
    file: inbox,
    search: 'const mostAtOnce = 10_000;',
    replacement: 'const mostAtOnce = 10_000_000;',
    killedBy: byEvents('leaves out a large backlog in steps'),
  },
  {
    name: 'A heartbeat of a revoked key removes one of a valid key',
    file: inbox,
    search: 'join api_keys k on k.id = i.key_id and k.revoked_at is null cross join',
    replacement: 'cross join',
    killedBy: byEvents('processes the heartbeat of a valid key though a revoked one sent a newer one'),
  },
  {
    name: 'Two workers process the events of an organization at once',
    file: inbox,
    search: 'if (!claim!.mine) return false;',
    replacement: '',
    killedBy: byEvents('processes the events of an organization one after another'),
  },
  {
    name: 'Each of many waiting heartbeats is processed',
    file: inbox,
    search: 'and r.rank > 1`',
    replacement: 'and r.rank > 1000`',
    killedBy: byEvents('removes heartbeats that newer ones follow'),
  },
  {
    name: 'A report stays one from the future',
    file: processing,
    search: '? event.started_at : receivedAt',
    replacement: '? event.started_at : event.started_at',
    killedBy: byEvents('counts a report from the future as one of now'),
  },
  {
    name: 'Probes that could not reach the service are silent',
    file: 'src/worker/tasks/do-what-is-due.ts',
    search: 'continuousMs >= reconnectMs',
    replacement: 'continuousMs >= 0',
    killedBy: byEvents(silent),
  },
  {
    name: 'A probe whose events wait is silent',
    file: 'src/resources/probes/presence.ts',
    search: 'k.key_id = i.key_id where k.probe_id = probes.id)',
    replacement: 'k.key_id = i.key_id where false)',
    killedBy: byEvents(silent),
  },
  {
    name: 'A probe that comes and goes causes scans without end',
    file: 'src/resources/probes/presence.ts',
    search: "probes.returned_at < now() - interval '5 minutes'",
    replacement: 'probes.returned_at < now()',
    killedBy: byEvents('does not find a probe silent each time that it comes and goes'),
  },
];
