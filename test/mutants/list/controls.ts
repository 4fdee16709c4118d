import type { Mutant } from '../mutant.ts';

const file = 'src/domain/control-states.ts';
const by = (test: string) => ({ file: 'src/domain/control-states.test.ts', test });

/** How far what is known supports a control. */
export const controlMutants: readonly Mutant[] = [
  {
    name: 'A control is supported in spite of an open finding',
    file,
    search: '...(open > 0 ?',
    replacement: '...(open < 0 ?',
    killedBy: by('needs attention for an open finding, whoever attests'),
  },
  {
    name: 'Checks that found no problem support a control',
    file,
    search: "checks.filter(({ effect }) => effect === 'shows');",
    replacement: 'checks.filter(({ effect }) => effect !== undefined);',
    killedBy: by('is not supported by checks that found no problem'),
  },
  {
    name: 'An attestation without evidence supports a control',
    file,
    search: "if (attestation === 'evidenced' || shown)",
    replacement: "if (attestation === 'evidenced' || attestation === 'bare' || shown)",
    killedBy: by('is supported by an attestation with evidence, and not by one without'),
  },
  {
    name: 'A standard is supported by a part of its specifications',
    file,
    search: 'if (missing.length === 0 && gaps.length === 0)',
    replacement: 'if (gaps.length === 0)',
    killedBy: by('carries attention from a specification to its standard'),
  },
];
