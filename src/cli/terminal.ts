import pc from 'picocolors';
import type { Severity } from '../contract/severity.ts';

export type Colors = ReturnType<typeof pc.createColors>;

/** Colors only on a terminal, and not if NO_COLOR is set (no-color.org). */
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

/** Columns of the terminal, limited to 60 to 120; 100 without a terminal. */
export function columnsOf(stream: { isTTY?: boolean; columns?: number }): number {
  return Math.min(120, Math.max(60, (stream.isTTY && stream.columns) || 100));
}

/** Wraps text to lines of at most `width` characters, at spaces if possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replace(invisible, ' ').split(/\s+/).filter(Boolean)) {
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

/** Where to break a long word: after punctuation if possible, as in `tls.no_tls13`. */
function breakOf(word: string, width: number): number {
  const after = word.slice(0, width).search(/[._,/:][^._,/:]*$/) + 1;
  return after > width / 3 ? after : width;
}

/** Control characters, bidirectional and other invisible format characters, and line separators (UTR 36, section 2.10). */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes control and invisible characters of untrusted text as in JSON: `\u009b`. A JSON document keeps its meaning. Line feeds and tabs
 * are not escaped.
 */
export function forTerminal(text: string): string {
  return text.replace(invisible, unit =>
    unit
      .split('')
      .map(part => `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
