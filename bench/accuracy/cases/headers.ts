import type { Family } from '../case.ts';
import { websiteCase } from '../website-case.ts';

export const headersFamily: Family = {
  name: 'headers',
  cases: [
    websiteCase({ name: 'hardened', flaws: [] }),
    websiteCase({
      name: 'no nosniff',
      headers: { 'x-content-type-options': undefined },
      flaws: ['headers.nosniff_missing'],
    }),
  ],
};
