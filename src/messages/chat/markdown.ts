import type { Line, Message } from '../message.ts';

interface MarkdownOptions {
  /** Characters that the service takes. */
  readonly most: number;
  /** Without the subject, where the service shows it by itself. */
  readonly withoutSubject?: boolean;
}

/** A message as Markdown. What does not fit is counted. */
export function asMarkdown(
  { subject, intro, sections, action }: Message,
  { most, withoutSubject = false }: MarkdownOptions,
): string {
  const end = action?.url ? `\n${linked(action.text, action.url)}` : '';
  const parts = [
    ...(withoutSubject ? [] : [`**${plain(subject)}**`]),
    plain(intro),
    ...sections.flatMap(({ heading, url = null, lines, more }) => [
      `\n**${linked(heading, url)}**`,
      ...lines.map(lineOf),
      ...(more ? [linked(more.text, more.url)] : []),
    ]),
  ];
  const room = most - end.length - 40;
  let length = 0;
  const kept = parts.filter(part => {
    length += part.length + 1;
    return length <= room;
  });
  const left = parts.length - kept.length;
  return [...kept, ...(left > 0 ? [`${left} more lines`] : []), end].filter(Boolean).join('\n');
}

function lineOf({ severity, text, detail, url = null }: Line): string {
  const grade = severity ? `**${severity.toUpperCase()}** ` : '';
  return `- ${grade}${linked(text, url)}${detail ? ` (${plain(detail)})` : ''}`;
}

const linked = (text: string, url: string | null) =>
  url === null ? plain(text) : `[${plain(text)}](${url})`;

/**
 * Text without a meaning in Markdown, and without mentions of people or channels: those need the character after the at sign. Chat systems
 * show a backslash before any other character.
 */
const plain = (text: string) =>
  text.replaceAll(/[\\`*_{}[\]()#+\-.!|~>]/g, character => `\\${character}`).replaceAll('@', '@\u200b');
