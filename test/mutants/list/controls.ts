import type { Mutant } from '../mutant.ts';

const file = 'src/domain/control-states.ts';
const by = (test: string) => ({ file: 'src/domain/control-states.test.ts', test });

/** Whether current results support a control. */
export const controlMutants: readonly Mutant[] = [
  {
    name: 'A control is supported despite an open finding',
    file,
    search: '...(findings > 0',
    replacement: '...(findings < 0',
    killedBy: by('needs attention for an open finding despite an attestation'),
  },
  {
    name: 'Checks without findings support a control',
    file,
    search: "checks.filter(({ effect }) => effect === 'shows');",
    replacement: 'checks.filter(({ effect }) => effect !== undefined);',
    killedBy: by('is not supported by checks that found no problem'),
  },
  {
    name: 'An attestation without evidence supports a control',
    file,
    search: "return { state: 'attested', reasons: [{ code: 'attested_without_evidence' }",
    replacement: "return { state: 'supported', reasons: [{ code: 'attested_without_evidence' }",
    killedBy: by('is supported by an attestation with evidence, and not by one without'),
  },
  {
    name: 'A standard is supported by some of its specifications',
    file,
    search: 'unsupported.length === 0 &&',
    replacement: '',
    killedBy: by('carries attention from a specification to its standard'),
  },
  {
    name: 'An attestation of a standard supports it regardless of its specifications',
    file,
    search: "attested(facts, 'attested', [...missing, ...gaps], known, reserves)",
    replacement: "attested(facts, 'supported', [...missing, ...gaps], known, reserves)",
    killedBy: by('carries attention from a specification to its standard'),
  },
  {
    name: 'An attestation hides what scans do not show',
    file,
    search: "[{ code: 'attested_with_evidence' }, ...doubts, ...reserves]",
    replacement: "[{ code: 'attested_with_evidence' }]",
    killedBy: by('is not supported by checks with'),
  },
  {
    name: 'A standard without applicable specifications is supported',
    file,
    search: 'supported.length > 0 &&',
    replacement: '',
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
    name: 'A person attests that a required specification does not apply',
    file: 'src/resources/controls/attestations.ts',
    search: 'controlByCitation(control)?.condition == null',
    replacement: 'controlByCitation(control) == null',
    killedBy: {
      file: 'test/dashboard/attestation-evidence.test.ts',
      test: 'does not let anyone attest that a control with general application does not apply',
    },
  },
  {
    name: 'An accepted finding among passes does not keep scans from supporting a control',
    file,
    search: 'const reserves = [...triagedOf(facts), ...partlyRun(facts)];',
    replacement: 'const reserves = partlyRun(facts);',
    killedBy: by('is not shown by passes while a result of another mapped check is'),
  },
];
