import type { FixTest, Remediation } from '../../contract/remediation.ts';
import { type Place, type PlaceName, places } from './places.ts';
import { parserVersions, provenSteps } from './tests.ts';

/** How to fix a check's findings in one product. */
export interface Step {
  readonly place: PlaceName;
  readonly version?: string;
  readonly code: string;
  readonly replace?: Readonly<Record<string, string>>;
  readonly note?: string;
}

/** How to fix a check's findings. No two steps have the same place and version. */
export interface Fix {
  readonly advice: string;
  readonly steps?: readonly Step[];
}

/** The note of a step, made of the defined sentences. */
export function noteOf(...sentences: readonly (string | undefined)[]): Pick<Step, 'note'> {
  const given = sentences.filter(sentence => sentence !== undefined);
  return given.length > 0 ? { note: given.join(' ') } : {};
}

/** A fix in readable form. @param check the id of its check */
export function remediationOf(check: string, { advice, steps = [] }: Fix): Remediation {
  return {
    advice,
    steps: steps.map(step => {
      const { place, ...said } = step;
      const { product, where, language } = places[place];
      return { product, where, language, ...said, tested: testOf(check, step) };
    }),
  };
}

/** The name under which a step is recorded as proven. */
export function stepName(check: string, { place, version }: Step): string {
  return [check, place, ...(version === undefined ? [] : [version])].join(' ');
}

function testOf(check: string, step: Step): FixTest {
  const { product, parser }: Place = places[step.place];
  const versions = provenSteps[stepName(check, step)];
  if (versions !== undefined) return { result: 'proven', on: `${product} ${versions}`.trim() };
  return parser === null
    ? { result: 'not_tested' }
    : { result: 'parsed', on: `${parser} ${parserVersions[parser] ?? ''}`.trim() };
}
