import type { Attestation, Control, ControlMatrix } from '../../contract/dashboard/controls.ts';
import { type PackFacts, shown } from './facts.ts';
import { day, moment, orDash, sayMore } from './report-words.ts';
import type { ReportWriter } from './report-writer.ts';

const stateWords: Readonly<Record<Control['state'], string>> = {
  supported: 'Supported',
  attention: 'Needs attention',
  attested: 'Attested, not proven',
  not_assessed: 'Not assessed',
  not_applicable: 'Not applicable',
};

export function writeMatrix(writer: ReportWriter, { totals, sections }: ControlMatrix): void {
  writer.heading(1, 'Control matrix');
  writer.paragraph(
    `${totals.supported} supported, ${totals.attention} need attention, ${totals.attested} attested but not proven, ${totals.not_assessed} not assessed, ${totals.not_applicable} not applicable.`,
    'strong',
  );
  writer.paragraph(
    'A finding counts toward every control that its check maps to, and a standard counts only the findings of its own checks. The numbers below therefore do not add up to the total number of findings.',
  );
  for (const { citation, title, controls } of sections) {
    writer.heading(2, `${citation} ${title}`);
    writer.table(
      { Citation: 3, Control: 7, Requirement: 2.6, State: 2.6, 'Open findings': 1.8, Accepted: 1.8 },
      controls.map(control => [
        control.citation,
        control.standard ? `  ${control.title}` : `Standard: ${control.title}`,
        control.requirement,
        stateWords[control.state],
        String(control.open),
        String(control.accepted),
      ]),
    );
  }
}

export function writeSupport(writer: ReportWriter, facts: PackFacts): void {
  const { sections } = facts.matrix;
  writer.heading(1, 'Reasons for control states');
  const known = sections
    .flatMap(({ controls }) => controls)
    .filter(control => control.state !== 'not_assessed' || control.checks > 0);
  writer.table(
    { Citation: 3, State: 2.4, Reasons: 9, 'Mapped checks': 1.8 },
    known.map(control => [
      control.citation,
      stateWords[control.state],
      control.reasons.join(' '),
      String(control.checks),
    ]),
  );
  writer.paragraph('All other controls are not assessed and have no mapped checks.', 'muted');
  writePasses(writer, facts);
}

/** Lists the passes that can support controls: check, source and time. */
function writePasses(writer: ReportWriter, { mapping, passes }: PackFacts): void {
  writer.heading(2, 'Passed checks that can show a safeguard');
  writer.paragraph(
    'Each pass contributes to showing that a safeguard works on one source. A single pass does not support a control: all checks that can show its safeguard must pass on every source in scope.',
  );
  if (passes.length === 0) {
    writer.paragraph('No check that can show a safeguard has passed.');
    return;
  }
  const rows = passes.flatMap(pass =>
    mapping
      .filter(({ check, effect }) => check === pass.check && effect === 'shows')
      .map(({ control, title }) => [
        control,
        `${title}\n${pass.check}`,
        pass.probe === null ? pass.source_name : `${pass.source_name}\nprobe ${pass.probe}`,
        moment(pass.passed_at),
      ]),
  );
  writer.table(
    { Citation: 3, 'Problem not found': 7, Source: 4, 'Passed on': 3 },
    rows.slice(0, shown.passes),
  );
  sayMore(writer, passes.length > shown.passes, 'json/controls.json');
}

/** Lists why each check maps to a control. */
export function writeMapping(writer: ReportWriter, { mapping }: PackFacts): void {
  writer.heading(1, 'How checks map to controls');
  writer.paragraph(
    'A finding lowers the state of each control that its check maps to. "Shows" means that a pass also shows that the safeguard works. For all other checks, a pass means only that no problem was found. It does not support the control.',
  );
  // Checks that map for the same reason share a row.
  const lines = new Map<string, string[]>();
  for (const { control, effect, reason, check } of mapping) {
    const key = [control, effect, reason].join('\n');
    lines.set(key, [...(lines.get(key) ?? []), check]);
  }
  writer.table(
    { Citation: 3, Checks: 5.5, Effect: 1.5, Reason: 7 },
    [...lines].map(([key, checks]) => {
      const [control = '', effect, reason = ''] = key.split('\n');
      return [control, checks.join(', '), effect === 'shows' ? 'Shows' : 'Lowers', reason];
    }),
  );
}

export function writeAttestations(writer: ReportWriter, { attestations }: PackFacts): void {
  writer.heading(1, 'Attestations');
  if (attestations.length === 0) writer.paragraph('No attestations were in effect during the period.');
  for (const attestation of attestations.slice(0, shown.attestations)) {
    const until = day(attestation.withdrawn_at ?? attestation.valid_until);
    const when = `from ${day(attestation.attested_at)} to ${until}, now ${attestation.state}`;
    writer.heading(2, `${attestation.control}: ${when}`);
    if (!attestation.applies) writer.paragraph('States that the control does not apply:', 'strong');
    writer.paragraph(attestation.statement);
    writer.paragraph(
      `Attested by ${orDash(attestation.attested_by)} on ${moment(attestation.attested_at)}, valid until ${day(attestation.valid_until)}.`,
      'muted',
    );
    writer.paragraph(
      attestation.evidence.length > 0
        ? `Evidence: ${attestation.evidence.map(nameOf).join(', ')}`
        : 'No retained evidence is linked.',
      'muted',
    );
    if (attestation.applies && attestation.evidence.every(({ kind }) => kind === 'scan')) {
      writer.paragraph(
        'This attestation does not support the control because no document is linked as evidence.',
        'muted',
      );
    }
    if (attestation.withdrawn_at) {
      writer.paragraph(
        `Withdrawn by ${orDash(attestation.withdrawn_by)} on ${moment(attestation.withdrawn_at)}: ${attestation.withdrawal_reason}`,
        'muted',
      );
    }
  }
  sayMore(writer, attestations.length > shown.attestations, 'json/attestations.json');
}

function nameOf({ name, sha256, linked_at, verdict }: Attestation['evidence'][number]): string {
  const about = `linked ${day(linked_at)}, SHA-256 ${sha256.slice(0, 12)}…`;
  return verdict ? `${name} (verdict ${verdict}, ${about})` : `${name} (${about})`;
}
