import { type Static, Type } from 'typebox';
import { choice, closed } from './values.ts';

/** How a fix was tested: `proven` on a flawed server until the finding resolved, `parsed` by the product, or not at all. */
const FixTest = Type.Union([
  closed({
    result: choice(['proven', 'parsed'] as const),
    on: Type.String({ description: 'Product and version.' }),
  }),
  closed({ result: Type.Literal('not_tested') }),
]);
export type FixTest = Static<typeof FixTest>;

/** The change in one product. */
const FixStep = closed({
  product: Type.String(),
  version: Type.Optional(Type.String({ description: 'Versions that require this step; all if omitted.' })),
  where: Type.String({ description: 'Where to add the code, such as `In the server block`.' }),
  language: Type.String({ description: 'Language for syntax highlighting.' }),
  code: Type.String({ description: 'Complete code, ready to copy.' }),
  replace: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Placeholders in the code, each with its replacement.',
    }),
  ),
  note: Type.Optional(Type.String({ description: 'Text between backticks is code.' })),
  tested: FixTest,
});
export type FixStep = Static<typeof FixStep>;

/** How to fix a finding: general advice, then steps for each product. */
export const Remediation = closed({
  advice: Type.String({ description: 'Text between backticks is code.' }),
  steps: Type.Array(FixStep),
});
export type Remediation = Static<typeof Remediation>;
