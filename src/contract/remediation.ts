import { type Static, Type } from 'typebox';
import { choice, closed } from './values.ts';

/** How a fix was tested: applied to a flawed server until the finding resolved, only parsed by the product, or neither. */
const FixTest = Type.Union([
  closed({
    result: choice(['proven', 'parsed'] as const),
    on: Type.String({ description: 'Product and version.' }),
  }),
  closed({ result: Type.Literal('not_tested') }),
]);
export type FixTest = Static<typeof FixTest>;

/** What to change in one product. */
const FixStep = closed({
  product: Type.String(),
  version: Type.Optional(Type.String({ description: 'The versions that need this step, if not all.' })),
  where: Type.String({ description: 'Where the code belongs, such as `In the server block`.' }),
  language: Type.String({ description: 'For highlighting.' }),
  code: Type.String({ description: 'Complete, ready to copy.' }),
  replace: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Placeholders in the code, each with what to replace it with.',
    }),
  ),
  note: Type.Optional(Type.String({ description: 'Text between backticks is code.' })),
  tested: FixTest,
});
export type FixStep = Static<typeof FixStep>;

/** How to fix what a check found: general advice, then what to change in each product. */
export const Remediation = closed({
  advice: Type.String({ description: 'Text between backticks is code.' }),
  steps: Type.Array(FixStep),
});
export type Remediation = Static<typeof Remediation>;
