import { createHash } from 'node:crypto';
import { type DriftArea, type DriftEvent, probeBounds } from '../contract/probe-events.ts';
import { type Facts, isAssessed, wholeArea } from '../scan/facts.ts';
import type { EventContent } from './recorder.ts';

/** Hashes by name, of each area. */
export type KnownFacts = { readonly [Area in DriftArea]?: Readonly<Record<string, string>> };

type Change = DriftEvent['changes'][number];

/** Of many objects in these, one fact is about a whole group. */
const grouped: ReadonlySet<string> = new Set<DriftArea>(['grant', 'policy']);

/** When each area was last assessed. */
export type FactTimes = { readonly [Area in DriftArea]?: string };

interface LastAssessment {
  readonly facts?: KnownFacts;
  readonly factsAt?: FactTimes;
}

/** Bytes of the changes that one event lists: a request has room for several events. */
const changesBytes = 64 * 1024;

/** Events of one area: more than all its names before and now fill, unless they are very long. */
const mostEvents = 20;

/** The facts of an assessment, with earlier ones where it did not assess. */
export function knownFacts(before: KnownFacts | undefined, facts: Facts): KnownFacts {
  const now = facts.map(assessed => {
    const [area, names] = assessed;
    const earlier = new Map(Object.entries(before?.[area] ?? {}));
    if (!isAssessed(assessed)) return [area, Object.fromEntries([...earlier, ...names])];
    const known = names.map(([name, hash]) => [name, hash || (earlier.get(name) ?? '')] as const);
    const replaced = grouped.has(area) ? replacedFacts(earlier, new Map(names)) : [];
    return [area, Object.fromEntries([...known, ...replaced])];
  });
  return { ...before, ...Object.fromEntries(now) };
}

/**
 * Events with what changed since the last assessment, of each area by itself: many changes of one hide none of another.
 * Areas that were not assessed before have nothing to be compared with.
 */
export function driftEvents(
  source_id: string,
  { facts: known = {}, factsAt = {} }: LastAssessment,
  now: KnownFacts,
): EventContent[] {
  return (Object.keys(now) as DriftArea[]).flatMap(area => {
    const since = factsAt[area];
    const changes = changesOf(area, known[area], now[area]!);
    return since !== undefined && changes.length > 0 ? eventsOf(source_id, since, changes) : [];
  });
}

/** Of changes whose names are so long that there is no room for all, the longest are not listed. */
function eventsOf(source_id: string, since: string, all: readonly Change[]): EventContent[] {
  const isLarge = bytesOf(all) > changesBytes * mostEvents;
  const parts = partsOf(isLarge ? all.toSorted((a, b) => bytesOf(a) - bytesOf(b)) : all);
  const listed = parts.slice(0, mostEvents);
  const more = all.length - listed.flat().length;
  return listed.map((changes, index) => {
    const content = { source_id, since, changes, more: index === listed.length - 1 ? more : 0 };
    // A probe that is killed before it remembers the facts finds the same changes again: they are the same event.
    return { id: idOf(content), kind: 'probe.drift', ...content };
  });
}

function partsOf(changes: readonly Change[]): Change[][] {
  const parts: Change[][] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = bytesOf(change);
    const last = parts.at(-1);
    bytes += size;
    if (last && last.length < probeBounds.changes && bytes <= changesBytes) last.push(change);
    else {
      parts.push([change]);
      bytes = size;
    }
  }
  return parts;
}

const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));

/** The same for the same content: a UUIDv8 (RFC 9562, section 5.8) with a part of its SHA-256 digest. */
function idOf(content: object): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function changesOf(
  area: DriftArea,
  before: Readonly<Record<string, string>> | undefined,
  now: Readonly<Record<string, string>>,
): Change[] {
  if (!before) return [];
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  const isWhole = (facts: typeof old) => facts.size === 1 && facts.has(wholeArea);
  if (isWhole(old) !== isWhole(current)) return [{ area, name: wholeArea, change: 'changed' }];
  const names = [...new Set([...old.keys(), ...current.keys()])];
  const isOneSided = (name: string) => old.has(name) !== current.has(name) && !wereListed(old.get(name));
  const groups = grouped.has(area) ? names.filter(isOneSided) : [];
  const prefixes = groups.flatMap(name => membersOf(name) ?? []);
  return names.flatMap((name): Change[] => {
    if (withoutMark(old.get(name)) === withoutMark(current.get(name)) || old.get(name) === '') return [];
    const change = old.has(name) ? (current.has(name) ? 'changed' : 'removed') : 'added';
    // Listed on one side only, it is neither added nor removed.
    if (change !== 'changed' && !isGroup(name) && prefixes.some(prefix => name.startsWith(prefix))) return [];
    return [{ area, name, change }];
  });
}

/** After the hash of a group: its members were listed one by one before, and are still known. */
const listedBefore = ' listed before';
const wereListed = (hash: string | undefined) => hash?.endsWith(listedBefore) ?? false;
const withoutMark = (hash: string | undefined) => hash?.replace(listedBefore, '');

/** Facts about single objects that are kept while they are in groups. */
const mostReplaced = 3_000;

/**
 * The facts of single objects that are now in a group, as they were before, the smallest groups first: once they are
 * listed again, they are compared with these, so that many others do not hide a change of one.
 */
function replacedFacts(
  earlier: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): (readonly [string, string])[] {
  if (earlier.size === 0) return [];
  const single = [...earlier].filter(([name]) => !isGroup(name) && !now.has(name));
  const groups = [...now]
    .filter(([name]) => isGroup(name) && (!earlier.has(name) || wereListed(earlier.get(name))))
    .map(([group, hash]) => {
      const members = membersOf(group)!;
      const marked = [group, hash + listedBefore] as const;
      return [marked, ...single.filter(([name]) => name.startsWith(members))];
    })
    .sort((a, b) => a.length - b.length);
  let count = 0;
  return groups.flatMap(facts => {
    count += facts.length;
    return count <= mostReplaced ? facts : [];
  });
}

const isGroup = (name: string) => membersOf(name) !== undefined;

/** How names of single objects begin, by the kinds of their groups. Others are the kind, without its `s`. */
const singular: Readonly<Record<string, string>> = {
  policies: 'policy on',
  'tables with row security': 'row security of',
};

/** How the names begin that a group replaces, which has one fact. Undefined for the name of one object. */
function membersOf(name: string): string | undefined {
  const [, ofAll, kind, schema] =
    /^all (?:(other )[a-z ]+|([a-z ]+?)(?: of schema (.+))?)$/s.exec(name) ?? [];
  if (ofAll !== undefined) return '';
  return kind && `${singular[kind] ?? kind.slice(0, -1)} ${schema === undefined ? '' : `${schema}.`}`;
}
