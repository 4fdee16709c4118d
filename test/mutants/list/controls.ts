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
    search: "if (unproven) return { state: 'attested', reasons: [unproven, ...doubts, ...known] };",
    replacement: "if (unproven) return { state: 'supported', reasons: [unproven, ...doubts, ...known] };",
    killedBy: by('is supported by an attestation with evidence, and not by one without'),
  },
  {
    name: 'A standard is supported by a part of its specifications',
    file,
    search: 'if (unsupported.length === 0 && some &&',
    replacement: 'if (some &&',
    killedBy: by('carries attention from a specification to its standard'),
  },
  {
    name: 'An attestation of a standard supports it, whatever its specifications are',
    file,
    search: "return { state: 'attested', reasons: [evidenced, ...missing, ...gaps, ...reserves] };",
    replacement: "return { state: 'supported', reasons: [evidenced, ...missing, ...gaps, ...reserves] };",
    killedBy: by('carries attention from a specification to its standard'),
  },
  {
    name: 'An attestation hides what scans do not show',
    file,
    search: '[evidenced, ...doubts, ...reserves]',
    replacement: '[evidenced]',
    killedBy: by('is not supported by checks with'),
  },
  {
    name: 'A standard of which nothing applies is supported',
    file,
    search: 'const some = exempt.length < parts.length;',
    replacement: 'const some = true;',
    killedBy: by('supports a standard by the specifications that apply'),
  },
  {
    name: 'A scan proves an attestation',
    file: 'src/dashboard/controls/matrix.ts',
    search: "evidence.some(({ kind }) => kind === 'file')",
    replacement: 'evidence.length > 0',
    killedBy: {
      file: 'test/dashboard/attestation-evidence.test.ts',
      test: 'is not supported by a scan alone',
    },
  },
  {
    name: 'A required specification does not apply, as somebody says',
    file: 'src/resources/controls/attestations.ts',
    search: 'controlByCitation(control)?.condition == null',
    replacement: 'controlByCitation(control) == null',
    killedBy: {
      file: 'test/dashboard/attestation-evidence.test.ts',
      test: 'lets nobody state that a control does not apply',
    },
  },
  {
    name: 'An accepted finding beside passes does not keep scans from supporting',
    file,
    search: 'const reserves = [...decidedOf(facts), ...partlyRun(facts)];',
    replacement: 'const reserves = partlyRun(facts);',
    killedBy: by('is not shown by passes while a result of another mapped check is'),
  },
];
