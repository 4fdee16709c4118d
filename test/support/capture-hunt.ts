import { detectorsFor } from '../../src/detectors/catalogue.ts';
import type { Detection, Detector, TargetSurface } from '../../src/detectors/detector.ts';
import type { GoldenCase } from '../../src/detectors/golden-case.ts';
import { boundDetections } from '../../src/scan/bound-results.ts';
import { runDetectors } from '../../src/scan/run-detectors.ts';
import { captureShape, type Shape } from './capture-shape.ts';
import type { Bound } from './growth.ts';
import {
  entriesOf,
  filled,
  grown,
  namesOf,
  type Place,
  placesIn,
  texts,
  withAt,
} from './hostile-captures.ts';

/** Runs detectors on captures with hostile texts or lists. */
export interface Hunt {
  readonly name: string;
  /** Names of the hostile places. */
  readonly hostile: readonly string[];
  /** @param share of the full size; returns the work to measure */
  readonly prepare: (share: number) => () => void;
  readonly bound: Bound;
}

export interface DetectorHunt {
  readonly detector: string;
  /** The places of the parts that the detector reads. */
  readonly reads: readonly string[];
  readonly hunts: Iterable<Hunt>;
}

/** Places with the same name that are hostile at the same time. */
const together = 8;
/** Characters of a text (databases and header fields allow 20,000 and more) and of a body; entries of a list. */
const sizes = { text: 20_000, body: 100_000, list: 5_000 };
/** Lists that a target cannot make longer, since the scan sends only this many requests. */
const mostOf: Readonly<Record<string, number>> = {
  'tls.value.weak_ciphers.value.chosen': 40,
  'tls.value.further_hosts': 3,
  'https.value.responses': 6,
  'http.value.responses': 6,
  'scripts.value': 100,
};
/** The source's host was parsed before the scan: an invalid one would stop the detectors. */
const isOurs = (name: string) => name === 'site.hostname';

const bounds = {
  text: { within: 800, noise: 60 },
  list: { within: 2_000, noise: 100 },
} as const satisfies Record<string, Bound>;

/**
 * Runs a detector of the surface on each of its golden cases, with one text after the other extended by something
 * hostile, and one list after the other with many entries. Combinations from an earlier case are skipped.
 */
export async function detectorHunts(surface: TargetSurface): Promise<readonly DetectorHunt[]> {
  const detectors = detectorsFor(surface) as readonly Detector<unknown>[];
  const shape = captureShape(surface);
  if (shape.is !== 'object') throw new Error(`The capture of ${surface} is not an object.`);
  const optional = new Set<string>(detectors.flatMap(({ reads }) => [...(reads ?? [])]));
  return Promise.all(
    detectors.map(async detector => {
      const { name, reads } = detector;
      const parts = [...shape.fields].filter(
        ([part]) => reads === undefined || !optional.has(part) || reads.includes(part as never),
      );
      const read: Shape = { is: 'object', fields: new Map(parts) };
      const cases = (await casesOf(detector)).map(({ capture }) => capture);
      const examples = [filled(shape, cases[0]), ...cases];
      return {
        detector: name,
        reads: namesOf(read).filter(one => !isOurs(one)),
        hunts: [...huntsOf(detector, read, examples)],
      };
    }),
  );
}

async function casesOf({ name }: Detector<unknown>): Promise<readonly GoldenCase<unknown>[]> {
  const file = new URL(`../../src/detectors/${name.replace('.', '/')}/cases.ts`, import.meta.url).href;
  return ((await import(/* @vite-ignore */ file)) as { cases: readonly GoldenCase<unknown>[] }).cases;
}

function* huntsOf(detector: Detector<unknown>, shape: Shape, examples: readonly unknown[]): Generator<Hunt> {
  const known = new Set<string>();
  for (const capture of examples) {
    const fresh = new Map<string, Place[]>();
    for (const place of placesIn(shape, capture)) {
      const key = `${place.name} ${place.beside} ${JSON.stringify(place.value)}`;
      if (known.has(key) || isOurs(place.name)) continue;
      known.add(key);
      fresh.set(place.name, [...(fresh.get(place.name) ?? []), place]);
    }
    for (const places of fresh.values()) {
      for (let at = 0; at < places.length; at += together)
        yield* huntsAt(detector, capture, places.slice(at, at + together));
    }
  }
}

function* huntsAt(detector: Detector<unknown>, capture: unknown, places: readonly Place[]): Generator<Hunt> {
  const { name, shape } = places[0]!;
  const isText = shape.is === 'text';
  const size = isText ? (name.endsWith('.body') ? sizes.body : sizes.text) : listSize(name);
  const forms: Record<string, (place: Place, count: number) => unknown> = isText
    ? Object.fromEntries(
        Object.entries(texts).map(([form, of]) => [
          form,
          ({ value }: Place, length: number) => of(value as string, length),
        ]),
      )
    : {
        'many equal': (place, count) => entriesOf(place, count, true),
        'many distinct': (place, count) => entriesOf(place, count, false),
      };
  for (const [form, of] of Object.entries(forms)) {
    yield {
      name: `${name} of ${form}, such as ${JSON.stringify(places[0]!.value)?.slice(0, 100)}`,
      hostile: [name],
      prepare(share) {
        const hostile = places.reduce(
          (whole, place) => withAt(whole, place.path, of(place, Math.ceil(size * share))),
          capture,
        );
        return () => run([detector], hostile);
      },
      bound: isText ? bounds.text : bounds.list,
    };
  }
}

const listSize = (name: string) => mostOf[name] ?? sizes.list;

/** Runs all detectors of a surface on a capture with many entries in all lists, which they compare with each other. */
export async function surfaceHunt(surface: TargetSurface): Promise<Hunt> {
  const detectors = detectorsFor(surface) as readonly Detector<unknown>[];
  const shape = captureShape(surface);
  const [first] = await casesOf(detectors[0]!);
  const capture = filled(shape, first!.capture);
  return {
    name: surface,
    hostile: [],
    prepare(share) {
      const hostile = grown(shape, capture, name => Math.ceil(listSize(name) * share));
      return () => run(detectors, hostile);
    },
    bound: { within: 8_000, noise: 200 },
  };
}

/** Runs the report of a detector that repeats a hostile text in everything, at many places. */
export function reportHunt(form: keyof typeof texts): Hunt {
  return {
    name: `${form}`,
    hostile: [],
    prepare(share) {
      const text = texts[form]!('a', sizes.text * share);
      const places = Array.from({ length: sizes.list * share }, (_, at) => `${at} ${text.slice(0, 500)}`);
      const seen = [text, ...places].map(one => ({ check: 'a.b', locator: one, seen: one }));
      const detection: Detection = {
        observations: seen,
        notAssessed: [...seen.keys()].map(at => ({
          check: `a.${at}`,
          reason: text.slice(0, at === 0 ? undefined : 500),
        })),
        places: new Map([['a.b', new Set([text, ...places])]]),
      };
      return () => void boundDetections([detection, detection]);
    },
    bound: bounds.list,
  };
}

/** An exception in a detector would hide the work that it does. */
function run(detectors: readonly Detector<unknown>[], capture: unknown): void {
  const failed = runDetectors(detectors, capture).filter(({ detection }) => detection === null);
  if (failed.length > 0) throw new Error(`${failed.map(({ detector }) => detector).join(', ')} failed.`);
}
