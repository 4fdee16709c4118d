import type { Control, ControlMatrix } from '../../contract/dashboard/controls.ts';
import { type PackFacts, shown } from './facts.ts';
import { day, moment, orDash, sayMore } from './report-words.ts';
import type { ReportWriter } from './report-writer.ts';

const stateWords: Readonly<Record<Control['state'], string>> = {
  supported: 'Supported',
  attention: 'Attention',
  not_assessed: 'Not assessed',
};

export function writeMatrix(writer: ReportWriter, { totals, sections }: ControlMatrix): void {
  writer.heading(1, 'Matrix of controls');
  writer.paragraph(
    `${totals.supported} supported, ${totals.attention} need attention, ${totals.not_assessed} not assessed.`,
    'strong',
  );
  for (const { citation, title, controls } of sections) {
    writer.heading(2, `${citation} ${title}`);
    writer.table(
      [
        { title: 'Citation', share: 3 },
        { title: 'Control', share: 7 },
        { title: 'Requirement', share: 2.6 },
        { title: 'State', share: 2.6 },
        { title: 'Open findings', share: 1.8 },
      ],
      controls.map(control => [
        control.citation,
        control.standard ? `  ${control.title}` : `Standard: ${control.title}`,
        control.requirement,
        stateWords[control.state],
        String(control.open),
      ]),
    );
  }
}

export function writeSupport(writer: ReportWriter, { sections }: ControlMatrix): void {
  writer.heading(1, 'What is behind each state');
  const known = sections
    .flatMap(({ controls }) => controls)
    .filter(control => control.state !== 'not_assessed' || control.checks > 0);
  writer.table(
    [
      { title: 'Citation', share: 3 },
      { title: 'State', share: 2.4 },
      { title: 'Why', share: 9 },
      { title: 'Checks that map', share: 1.8 },
    ],
    known.map(control => [
      control.citation,
      stateWords[control.state],
      control.reasons.join(' '),
      String(control.checks),
    ]),
  );
  writer.paragraph('All other controls are not assessed, and no check maps to them.', 'muted');
}

export function writeAttestations(writer: ReportWriter, { attestations }: PackFacts): void {
  writer.heading(1, 'Attestations');
  if (attestations.length === 0) writer.paragraph('No attestation was in effect in the period.');
  for (const attestation of attestations.slice(0, shown.attestations)) {
    writer.heading(2, `${attestation.control}: ${attestation.state}`);
    writer.paragraph(attestation.statement);
    writer.paragraph(
      `By ${orDash(attestation.attested_by)} on ${moment(attestation.attested_at)}, valid until ${day(attestation.valid_until)}.`,
      'muted',
    );
    if (attestation.withdrawn_at) {
      writer.paragraph(
        `Withdrawn by ${orDash(attestation.withdrawn_by)} on ${moment(attestation.withdrawn_at)}: ${attestation.withdrawal_reason}`,
        'muted',
      );
    }
  }
  sayMore(writer, attestations.length > shown.attestations, 'json/attestations.json');
}
