import { createHash } from 'node:crypto';
import { toStorable } from '../contract/values.ts';
import type { Detection, NotAssessed, Observation } from '../detectors/detector.ts';
import { beginningOf, withoutSecrets } from '../detectors/mask-secrets.ts';
import {
  assessedPlacesBytes,
  assessedPlacesPerScan,
  locatorLength,
  placesBytes,
  placesPerCheck,
  placesPerScan,
  sentenceLength,
} from './report-bounds.ts';

/** A detection as plain JSON, to be sent out of the sandbox. */
export interface PlainDetection {
  readonly observations: readonly Observation[];
  readonly notAssessed: readonly NotAssessed[];
  readonly places: readonly (readonly [check: string, looked: readonly string[]])[];
  readonly fully?: readonly string[];
}

/** A detection with bounded texts and at most as many places as a check may have. */
interface Worded extends PlainDetection {
  /** The number of places of each check. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * The target decides how many places there are and what they are called. A check with more places than fit
 * reports the first ones and is not assessed at the others, so that none of those is resolved. Every check
 * has the same limit, so many places of one do not hide those of another.
 */
export function boundDetections(
  detections: readonly (Detection | null)[],
  most = { placesBytes, assessedPlacesBytes },
): (PlainDetection | null)[] {
  const worded = detections.map(detection => detection && inWords(detection));
  const observations = worded.flatMap(detection => detection?.observations ?? []);
  const perCheck = placesThatFit(observations, most.placesBytes);
  const room = { places: assessedPlacesPerScan, bytes: most.assessedPlacesBytes };
  return worded.map(detection => detection && cut(detection, perCheck, room));
}

function inWords({ observations, notAssessed, places, fully }: Detection): Worded {
  const counts = new Map<string, number>();
  const kept: Observation[] = [];
  for (const observation of observations) {
    const count = (counts.get(observation.check) ?? 0) + 1;
    counts.set(observation.check, count);
    if (count > placesPerCheck) continue;
    kept.push({
      ...observation,
      locator: boundedLocator(observation.locator),
      seen: boundedSentence(observation.seen),
    });
  }
  return {
    counts,
    observations: kept,
    notAssessed: notAssessed.map(entry => ({ ...entry, reason: boundedSentence(entry.reason) })),
    places: [...(places ?? [])].map(([check, looked]) => [
      check,
      [...looked].map(place => boundedLocator(place)),
    ]),
    ...(fully === undefined ? {} : { fully }),
  };
}

/** How many places each check can report, if the limit is the same for all. */
function placesThatFit(observations: readonly Observation[], mostBytes: number): number {
  const sizes = new Map<string, number[]>();
  for (const observation of observations) {
    const known = sizes.get(observation.check);
    if (known) known.push(bytesOf(observation));
    else sizes.set(observation.check, [bytesOf(observation)]);
  }
  const fits = (perCheck: number) => {
    const reported = [...sizes.values()].flatMap(bytes => bytes.slice(0, perCheck));
    const total = reported.reduce((sum, bytes) => sum + bytes, 0);
    return reported.length <= placesPerScan && total <= mostBytes;
  };
  let perCheck = placesPerCheck;
  while (!fits(perCheck)) perCheck = Math.floor(perCheck * 0.8);
  return perCheck;
}

function cut(
  { counts, observations, notAssessed, places, fully }: Worded,
  perCheck: number,
  room: { places: number; bytes: number },
): PlainDetection {
  const left = new Map<string, number>();
  const isReported = ({ check }: Observation) => {
    const count = (left.get(check) ?? 0) + 1;
    left.set(check, count);
    return count <= perCheck;
  };
  const hasRoom = ([, looked]: PlainDetection['places'][number]) => {
    room.places -= looked.length;
    room.bytes -= bytesOf(looked);
    return room.places >= 0 && room.bytes >= 0;
  };
  const failing = [...counts].filter(([, count]) => count > perCheck).map(([check]) => check);
  const whole = places.filter(([check]) => !failing.includes(check));
  const listed = whole.filter(hasRoom);
  const unlisted = whole.filter(entry => !listed.includes(entry)).map(([check]) => check);
  const said = new Set(notAssessed.map(({ check }) => check));
  return {
    observations: observations.filter(isReported),
    notAssessed: [
      ...notAssessed,
      ...failing.filter(check => !said.has(check)).map(check => ({ check, reason: tooManyPlaces(perCheck) })),
      ...unlisted.filter(check => !said.has(check)).map(check => ({ check, reason: tooManyAssessed })),
    ],
    // If a check was cut off, no place may count as passed.
    places: listed,
    ...(fully === undefined ? {} : { fully }),
  };
}

const tooManyPlaces = (perCheck: number) =>
  `The check fails at more than ${perCheck.toLocaleString('en-US')} places; the others are not listed.`;
const tooManyAssessed = 'The check assessed more places than the scan can list.';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1;

/** The same place always gets the same locator: a hash replaces what is cut off. */
export function boundedLocator(locator: string, length = locatorLength): string {
  const text = toStorable(locator);
  if (text.length <= length) return text;
  const masked = toStorable(withoutSecrets(locator));
  const digest = createHash('sha256').update(masked).digest('hex');
  return `${toStorable(masked.slice(0, length - digest.length - 1))}…${digest}`;
}

function boundedSentence(sentence: string): string {
  const text = toStorable(sentence);
  return text.length <= sentenceLength ? text : `${toStorable(beginningOf(text, sentenceLength - 1))}…`;
}
