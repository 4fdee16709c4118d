import type { ReleaseTable } from './table.ts';

/**
 * Redis's series. The newest releases are not known for certain: a server that lacks only what came after the known one is
 * not reported. Ends of support: https://github.com/redis/redis/security, as collected by endoflife.date.
 */
export const redisReleases: ReleaseTable = {
  product: 'Redis',
  as_of: '2026-05-08',
  source: 'https://endoflife.date/redis',
  series: [
    { series: '8.6', end_of_life: null, latest: null, known: '8.6.3' },
    { series: '8.4', end_of_life: null, latest: null, known: '8.4.3' },
    { series: '8.2', end_of_life: null, latest: null, known: '8.2.6' },
    { series: '8.0', end_of_life: '2026-02-11', latest: null, known: '8.0.6' },
    { series: '7.4', end_of_life: null, latest: null, known: '7.4.9' },
    { series: '7.2', end_of_life: null, latest: null, known: '7.2.14' },
    { series: '7.0', end_of_life: '2024-07-29', latest: '7.0.15' },
    { series: '6.2', end_of_life: null, latest: null, known: '6.2.22' },
    { series: '6.0', end_of_life: '2022-05-31', latest: '6.0.20' },
    { series: '5.0', end_of_life: '2022-04-27', latest: '5.0.14' },
  ],
};

/** Valkey's series. Dates: https://valkey.io/topics/releases/, as collected by endoflife.date. */
export const valkeyReleases: ReleaseTable = {
  product: 'Valkey',
  as_of: '2026-06-06',
  source: 'https://endoflife.date/valkey',
  series: [
    { series: '9.0', end_of_life: '2028-10-21', latest: null, known: '9.0.0' },
    { series: '8.1', end_of_life: '2030-03-31', latest: null, known: '8.1.8' },
    { series: '8.0', end_of_life: '2027-09-15', latest: null, known: '8.0.9' },
    { series: '7.2', end_of_life: '2029-04-16', latest: null, known: '7.2.11' },
  ],
};
