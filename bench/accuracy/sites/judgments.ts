import { readFileSync } from 'node:fs';

const document = new URL('../../../docs/accuracy.md', import.meta.url);

/** `site check place` of the findings that were judged to be right, by hand. */
export const judgedRight: ReadonlySet<string> = new Set(
  readFileSync(document, 'utf8')
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
    .filter(cells => cells[6] === 'right')
    .map(([, site, check, place]) => `${site} ${check} ${place}`),
);
