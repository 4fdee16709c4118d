import type { FixTest, Remediation } from '../../contract/remediation.ts';
import { type Place, type PlaceName, places } from './places.ts';
import { tests } from './tests.ts';

/** What a check says about fixing its findings in one product. */
export interface Step {
  readonly place: PlaceName;
  readonly version?: string;
  readonly code: string;
  readonly replace?: Readonly<Record<string, string>>;
  readonly note?: string;
}

/** What a check says about fixing its findings. No two steps have the same place and version. */
export interface Fix {
  readonly advice: string;
  readonly steps?: readonly Step[];
}

/** A fix as people read it. @param check the id of its check */
export function remediationOf(check: string, { advice, steps = [] }: Fix): Remediation {
  return {
    advice,
    steps: steps.map(({ place: name, ...step }) => {
      const { product, where, language } = places[name];
      return { product, where, language, ...step, tested: testOf(check, name) };
    }),
  };
}

function testOf(check: string, name: PlaceName): FixTest {
  const { parser }: Place = places[name];
  if (parser === null) return { result: 'not_tested' };
  const proven = (tests.proven[check] ?? []).includes(name);
  return { result: proven ? 'proven' : 'parsed', on: tests.versions[parser] ?? parser };
}
