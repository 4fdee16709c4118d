import pc from 'picocolors';
import type { Severity } from '../contract/severity.ts';

export type Colors = ReturnType<typeof pc.createColors>;

/** Colors for a stream: on a terminal only, and not where NO_COLOR is set (no-color.org). */
export function colorsFor(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Colors {
  return pc.createColors(stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb');
}

export function colorOf(severity: Severity, colors: Colors): (text: string) => string {
  switch (severity) {
    case 'critical':
      return text => colors.bold(colors.red(text));
    case 'high':
      return colors.red;
    case 'medium':
      return colors.yellow;
    case 'low':
      return colors.cyan;
    case 'info':
      return colors.dim;
  }
}

/** Columns to write in: the terminal's within 60 to 120, and 100 where there is none. */
export function columnsOf(stream: { isTTY?: boolean; columns?: number }): number {
  return Math.min(120, Math.max(60, (stream.isTTY && stream.columns) || 100));
}

/** Breaks text into lines of at most `width` characters, at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replace(unseen, ' ').split(/\s+/).filter(Boolean)) {
    for (let rest = word; rest !== ''; ) {
      const room = line === '' ? width : width - line.length - 1;
      if (rest.length <= room) {
        line = line === '' ? rest : `${line} ${rest}`;
        rest = '';
      } else if (line !== '') {
        lines.push(line);
        line = '';
      } else {
        const length = breakOf(rest, width);
        lines.push(rest.slice(0, length));
        rest = rest.slice(length);
      }
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Where to break a word that is too long: after punctuation where there is some, as in `tls.no_tls13`. */
function breakOf(word: string, width: number): number {
  const after = word.slice(0, width).search(/[._,/:][^._,/:]*$/) + 1;
  return after > width / 3 ? after : width;
}

/** Controls, marks of direction and other invisible format characters, line separators (UTR 36, section 2.10). */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text with what a terminal would obey, or would not show, written as JSON does: `\u009b`. Names and messages come from others, and
 * a document of JSON stays the same document. Line feeds and tabs stay.
 */
export function forTerminal(text: string): string {
  return text.replace(unseen, unit =>
    unit
      .split('')
      .map(part => `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
