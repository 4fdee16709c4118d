import { allChecks } from '../../src/detectors/catalogue.ts';
import type { Check } from '../../src/detectors/detector.ts';
import { places } from '../../src/detectors/remediation/places.ts';
import { type Step, stepName } from '../../src/detectors/remediation/step.ts';

/** A step of a check's fix. */
export interface StepOfCheck {
  /** `check place`, with the version if the step is for some versions only. */
  readonly name: string;
  readonly check: Check;
  readonly step: Step;
}

/** Code with its placeholders replaced. */
export function replaced(code: string, values: Readonly<Record<string, string>> = {}): string {
  return Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), code);
}

/** Every step of every check, in the order of the catalogue. */
function allSteps(): StepOfCheck[] {
  return allChecks().flatMap(check =>
    (check.fix.steps ?? []).map(step => ({ name: stepName(check.id, step), check, step })),
  );
}

/** The steps for a product. */
export function stepsFor(product: string): StepOfCheck[] {
  return allSteps().filter(({ step }) => places[step.place].product === product);
}

/** The steps whose code a program parses. */
export function stepsParsedBy(parser: string): StepOfCheck[] {
  return allSteps().filter(({ step }) => places[step.place].parser === parser);
}
