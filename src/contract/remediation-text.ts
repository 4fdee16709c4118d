import type { FixStep, Remediation } from './remediation.ts';

/** Heading of a step, such as `nginx 1.19.3 or newer, in the server block`. */
export function stepHeading({ product, version, where }: FixStep): string {
  const place = where.charAt(0).toLowerCase() + where.slice(1);
  return `${product}${version === undefined ? '' : ` ${version}`}, ${place}`;
}

/** Text after the code: the values to replace, then the note. */
export function stepNotes({ replace = {}, note }: FixStep): string[] {
  const values = Object.entries(replace).map(([value, meaning]) => `\`${value}\` with ${meaning}`);
  return [
    ...(values.length > 0 ? [`Replace ${listed(values)}.`] : []),
    ...(note === undefined ? [] : [note]),
  ];
}

/** The remediation as Markdown that is also readable as plain text, with code indented by four spaces. */
export function remediationText({ advice, steps }: Remediation): string {
  const parts = steps.flatMap(step => [
    `${stepHeading(step)}:`,
    step.code.replace(/^(?=.)/gm, '    '),
    ...stepNotes(step),
  ]);
  return [advice, ...parts].join('\n\n');
}

export function testText({ tested }: FixStep): string {
  if (tested.result === 'proven') return `Proven on ${tested.on}`;
  return tested.result === 'parsed' ? `Syntax checked with ${tested.on}` : 'Not tested';
}

function listed(values: readonly string[]): string {
  const [last, ...before] = [...values].reverse();
  return before.length === 0 ? (last ?? '') : `${before.reverse().join(', ')} and ${last}`;
}
