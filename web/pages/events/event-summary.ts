import type {
  AssessmentEvent,
  DriftEvent,
  Heartbeat,
  InventoryEvent,
  ProbeEvent,
} from '../../../src/contract/probe-events.ts';
import { readablePlace } from '../../../src/contract/readable-place.ts';
import { byteSize, counted } from '../../formats/numbers.ts';

type Facts = readonly (readonly [name: string, text: string])[];

/** The most names that are listed. The content below has all. */
const mostNames = 10;

function listed(names: readonly string[]): string {
  const rest = names.length - mostNames;
  const shown = names.slice(0, mostNames).join('; ');
  return rest > 0 ? `${shown}; and ${rest.toLocaleString()} more` : shown || 'None';
}

/** What a probe reported, in words. The service has validated it; a newer probe may send more. */
export function summaryOf(content: Readonly<Record<string, unknown>>): Facts {
  const event = content as unknown as ProbeEvent;
  switch (event.kind) {
    case 'probe.heartbeat':
      return ofHeartbeat(event);
    case 'probe.assessment':
      return ofAssessment(event);
    case 'probe.drift':
      return ofDrift(event);
    case 'probe.inventory':
      return ofInventory(event);
    case 'probe.dropped':
      return [...ofProbe(event), ['Dropped', `${counted(event.count, 'event')}: ${event.reason}`]];
    default:
      return [];
  }
}

const ofProbe = ({ probe }: ProbeEvent): Facts => [['Probe', `${probe.name}, version ${probe.version}`]];

function ofHeartbeat(event: Heartbeat): Facts {
  const { spool, targets } = event;
  const failing = targets.filter(({ state }) => state === 'failing');
  return [
    ...ofProbe(event),
    ['Spool', `${counted(spool.events, 'event')}, ${byteSize(spool.bytes)}`],
    ['Targets', counted(targets.length, 'target')],
    ['Failing', listed(failing.map(({ name, error_code }) => `${name} (${error_code ?? 'unknown'})`))],
  ];
}

function ofAssessment(event: AssessmentEvent): Facts {
  const checks = event.results.flatMap(result => result.checks);
  const seen = event.results.flatMap(result => result.observations);
  const count = (outcome: string) => checks.filter(check => check.outcome === outcome).length;
  return [
    ...ofProbe(event),
    ...(event.error_code ? [['Error', event.error_code] as const] : []),
    [
      'Checks',
      `${count('observed')} detected, ${count('passed')} passed, ${count('not_assessed')} not assessed`,
    ],
    ['Observed', listed(seen.map(({ check, locator }) => `${check}: ${readablePlace(check, locator)}`))],
  ];
}

function ofDrift(event: DriftEvent): Facts {
  const { changes, more } = event;
  return [
    ...ofProbe(event),
    ['Changes', counted(changes.length + more, 'change')],
    ...(more > 0
      ? [['Not listed', `${counted(more, 'change')} beyond what an event can list`] as const]
      : []),
    ['Names', listed(changes.map(({ area, name, change }) => `${area} ${name} ${change}`))],
  ];
}

function ofInventory(event: InventoryEvent): Facts {
  return [
    ...ofProbe(event),
    ['Seen', listed(event.seen.map(({ kind, host }) => `${kind} ${host}`))],
    [
      'Ports',
      '5432–5434 (PostgreSQL), 3306 and 3307 (MySQL and MariaDB), 6379 and 6380 (Redis and Valkey), 80 and 443 (websites). Others are not seen.',
    ],
  ];
}
