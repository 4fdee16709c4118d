import type { FixStep } from '../contract/remediation.ts';
import { stepHeading, stepNotes, testText } from '../contract/remediation-text.ts';
import {
  type CheckDescription,
  type DetectorDescription,
  surfaceTitles,
} from '../domain/check-description.ts';
import { safeguardLine } from '../domain/safeguards.ts';

/** Every check as one Markdown document, one anchor a check: its id. */
export function checkDocument(detectors: readonly DetectorDescription[]): string {
  const surfaces = [...new Set(detectors.map(({ surface }) => surface))];
  const total = detectors.reduce((sum, { checks }) => sum + checks.length, 0);
  const lines = [
    '# Checks',
    '',
    '<!-- Written by `npx parapet checks --format markdown`. A test fails when it is stale. -->',
    '',
    `What scans look for: ${total} checks on ${surfaces.length} surfaces. A finding’s \`category\` is the id of its check. A running`,
    'service shows the same at `/docs/checks`, and `npx parapet checks --format json` prints it for machines.',
    '',
    'A check that could not be decided, because a page did not answer or a privilege is missing, is "not assessed": it neither passes',
    'nor resolves a finding.',
    '',
    'HIPAA safeguards are those of 45 CFR Part 164 that a check says something about, each with the reason. A finding lowers the',
    '[control](controls.md). A pass says that no problem was found, and supports no control, except where it says "a pass shows it".',
    'None of this states compliance.',
  ];
  for (const surface of surfaces) {
    lines.push('', `## ${surfaceTitles[surface] ?? surface}`);
    for (const { name, checks } of detectors.filter(detector => detector.surface === surface)) {
      lines.push('', `Detector \`${name}\`:`, '', '| check | severity | what is wrong |', '|---|---|---|');
      for (const { id, severity, title } of checks) {
        lines.push(`| [\`${id}\`](#${id}) | ${severity} | ${cell(title)} |`);
      }
    }
    for (const { checks } of detectors.filter(detector => detector.surface === surface)) {
      for (const check of checks) lines.push(...section(check));
    }
  }
  return `${lines.join('\n')}\n`;
}

function section(check: CheckDescription): string[] {
  const { id, title, severity, why, remediation, references, safeguards } = check;
  return [
    '',
    `### <a id="${id}"></a>${title}`,
    '',
    `\`${id}\` · ${severity}`,
    '',
    why,
    '',
    `**Fix:** ${remediation.advice}`,
    '',
    ...remediation.steps.flatMap(step),
    `Read more: ${references.map(reference => `<${reference}>`).join(', ')}`,
    ...(safeguards.length === 0
      ? []
      : ['', 'HIPAA safeguards:', '', ...safeguards.map(one => `- ${safeguardLine(one)}`)]),
  ];
}

function step(fix: FixStep): string[] {
  return [
    `${stepHeading(fix)}:`,
    '',
    `\`\`\`${fix.language}`,
    ...fix.code.split('\n'),
    '```',
    '',
    [`${testText(fix)}.`, ...stepNotes(fix)].join(' '),
    '',
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
