import { shortened, visibleText } from '../domain/visible-text.ts';

/** Text of others on one line, as text of GitHub Flavored Markdown (spec 2.4): no markup, HTML or cell of a table. */
export function markdownText(text: string, longest: number): string {
  return shortLine(text, longest).replace(/[!-/:-@[-`{-~]/g, mark => `\\${mark}`);
}

/** Text of others as code, which has no mentions or links. It cannot end the code, nor the cell of a table. */
export function markdownCode(text: string, longest: number): string {
  return `\`${shortLine(text, longest).replaceAll('`', "'").replaceAll('|', '\\|') || ' '}\``;
}

/** A link with text of others: services replace mentions and addresses in text, but not inside links. */
export function markdownLink(text: string, url: string, longest: number): string {
  const target = url.replace(/[()<>|\\ ]/g, mark => `%${mark.charCodeAt(0).toString(16)}`);
  return `[${markdownText(text, longest) || 'finding'}](${target})`;
}

function shortLine(text: string, longest: number): string {
  return shortened(visibleText(text).replace(/\s+/g, ' ').trim(), longest);
}
