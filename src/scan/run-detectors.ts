import { createHash } from 'node:crypto';
import type { Detection, Detector, NotAssessed, Observation, Places } from '../detectors/detector.ts';
import { isAllocationFailure } from './allocation-failure.ts';
import { locatorLength, placesPerCheck, sentenceLength } from './report-bounds.ts';

/** A detection as plain JSON, for the way out of the sandbox. */
export interface PlainDetection {
  readonly observations: readonly Observation[];
  readonly notAssessed: readonly NotAssessed[];
  readonly places: readonly (readonly [check: string, places: PlainPlaces])[];
}

interface PlainPlaces {
  readonly within: string;
  readonly looked: readonly string[];
}

/** What one detector reported; null when it threw. */
export interface DetectorResult {
  readonly detector: string;
  readonly detection: PlainDetection | null;
}

/** Runs the detectors on what was collected. The fault of one does not affect the others. */
export function runDetectors(detectors: readonly Detector<unknown>[], evidence: unknown): DetectorResult[] {
  return detectors.map(detector => {
    try {
      return { detector: detector.name, detection: bounded(detector.detect(evidence)) };
    } catch (error) {
      if (isAllocationFailure(error)) throw error;
      return { detector: detector.name, detection: null };
    }
  });
}

/**
 * A target decides how many places there are and how they are called. Of a check with more places than the limit, the first
 * are reported, and the rest is said to be not assessed, so that none of them is taken for resolved.
 */
function bounded({ observations, notAssessed, places }: Detection): PlainDetection {
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
  const cut = [...counts].filter(([, count]) => count > placesPerCheck).map(([check]) => check);
  const said = new Set(notAssessed.map(({ check }) => check));
  return {
    observations: kept,
    notAssessed: [
      ...notAssessed.map(entry => ({ ...entry, reason: boundedSentence(entry.reason) })),
      ...cut.filter(check => !said.has(check)).map(check => ({ check, reason: tooManyPlaces })),
    ],
    // Of a check that was cut off, no place may count as one at which nothing was found.
    places: [...(places ?? [])]
      .filter(([check]) => !cut.includes(check))
      .map(([check, entry]) => [check, plainPlaces(entry)]),
  };
}

const tooManyPlaces = `The check fails at more than ${placesPerCheck.toLocaleString('en-US')} places; the others are not listed.`;

function plainPlaces({ within, looked }: Places): PlainPlaces {
  return { within: boundedLocator(within), looked: [...looked].map(boundedLocator) };
}

/** Still the same for the same place: the hash stands for what is cut off. */
function boundedLocator(locator: string): string {
  const text = storable(locator);
  if (text.length <= locatorLength) return text;
  const digest = createHash('sha256').update(text).digest('hex');
  return `${storable(text.slice(0, locatorLength - digest.length - 1))}…${digest}`;
}

function boundedSentence(sentence: string): string {
  const text = storable(sentence);
  return text.length <= sentenceLength ? text : `${storable(text.slice(0, sentenceLength - 1))}…`;
}

/** Text that PostgreSQL can store: no U+0000, no lone surrogate. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed();
}
