import { readFileSync } from 'node:fs';

const document = new URL('../../../docs/accuracy.md', import.meta.url);

/** Whether a finding is right, by `site check place`, as judged by hand. */
export const judgments: ReadonlyMap<string, boolean> = new Map(
  readFileSync(document, 'utf8')
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
    .filter(cells => cells[6] === 'right' || cells[6] === 'false alarm')
    .map(([, site, check, place, , , judgment]) => [`${site} ${check} ${place}`, judgment === 'right']),
);
