import type { Line, Message } from '../message.ts';

/** The plain text part of a mail. Lines are not broken: mail programs do that for their width. */
export function asText({ intro, sections, action, reason, unsubscribe }: Message): string {
  return [
    intro,
    ...sections.flatMap(({ heading, url = null, lines, more }) => [
      '',
      heading,
      ...(url === null ? [] : [`  ${url}`]),
      ...lines.flatMap(textOf),
      ...(more ? [`  ${withUrl(more)}`] : []),
    ]),
    ...(action ? ['', withUrl(action)] : []),
    ...(reason || unsubscribe ? ['', '-- '] : []),
    ...(reason ? [reason.text, ...(reason.url === null ? [] : [`Change notifications: ${reason.url}`])] : []),
    ...(unsubscribe ? [`Unsubscribe: ${unsubscribe}`] : []),
    '',
  ].join('\n');
}

function textOf({ severity, text, detail, url }: Line): string[] {
  return [
    `  - ${severity ? `${severity.toUpperCase()}: ` : ''}${text}`,
    ...(detail ? [`    ${detail}`] : []),
    ...(url ? [`    ${url}`] : []),
  ];
}

const withUrl = ({ text, url }: { readonly text: string; readonly url: string | null }) =>
  url === null ? text : `${text}: ${url}`;
