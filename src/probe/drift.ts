import { createHash } from 'node:crypto';
import type { DriftEvent } from '../contract/probe-events.ts';
import type { FactArea, Facts } from '../scan/facts.ts';
import type { EventContent } from './recorder.ts';

/** Hashes by name, of each area that was assessed. */
export type KnownFacts = { readonly [Area in FactArea]?: Readonly<Record<string, string>> };

type Change = DriftEvent['changes'][number];

/** When each area was last assessed. */
export type FactTimes = { readonly [Area in FactArea]?: string };

interface LastAssessment {
  readonly facts?: KnownFacts;
  readonly factsAt?: FactTimes;
}

/** Changes that one event lists. */
const mostChanges = 500;

/** The facts of an assessment, with earlier ones where it did not assess. */
export function knownFacts(before: KnownFacts | undefined, facts: Facts): KnownFacts {
  const now = facts.map(([area, names]) => {
    const earlier = new Map(Object.entries(before?.[area] ?? {}));
    return [area, Object.fromEntries(names.map(([name, hash]) => [name, hash || (earlier.get(name) ?? '')]))];
  });
  return { ...before, ...Object.fromEntries(now) };
}

/**
 * Events with what changed since the last assessment of each area: one for each time of it. Areas that were not assessed
 * before have nothing to be compared with.
 */
export function driftEvents(
  source_id: string,
  { facts: known = {}, factsAt = {} }: LastAssessment,
  now: KnownFacts,
): EventContent[] {
  const changes = (Object.keys(now) as FactArea[]).flatMap(area => changesOf(area, known[area], now[area]!));
  const times = new Set(changes.flatMap(({ area }) => factsAt[area] ?? []));
  return [...times].map(since => {
    const some = changes.filter(({ area }) => factsAt[area] === since);
    return driftEvent(source_id, since, some);
  });
}

function driftEvent(source_id: string, since: string, changes: readonly Change[]): EventContent {
  const more = Math.max(0, changes.length - mostChanges);
  const content = { source_id, since, changes: changes.slice(0, mostChanges), more };
  // A probe that is killed before it remembers the facts finds the same changes again: they are the same event.
  return { id: idOf(content), kind: 'probe.drift', ...content };
}

/** The same for the same content: a UUIDv8 (RFC 9562, section 5.8) with a part of its SHA-256 digest. */
function idOf(content: object): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function changesOf(
  area: FactArea,
  before: Readonly<Record<string, string>> | undefined,
  now: Readonly<Record<string, string>>,
): Change[] {
  if (!before) return [];
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  const names = [...new Set([...old.keys(), ...current.keys()])];
  return names.flatMap((name): Change[] => {
    if (old.get(name) === current.get(name) || old.get(name) === '') return [];
    const change = old.has(name) ? (current.has(name) ? 'changed' : 'removed') : 'added';
    return [{ area, name, change }];
  });
}
