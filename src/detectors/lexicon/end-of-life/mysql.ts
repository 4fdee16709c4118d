import type { ReleaseTable } from './table.ts';

/**
 * MySQL's series. An innovation release is supported until the next one; 8.4 and 9.7 are long-term. Newer
 * releases may exist: a server that lacks only those is not reported until this table is updated.
 */
export const mysqlReleases: ReleaseTable = {
  product: 'MySQL',
  as_of: '2026-06-16',
  source: 'https://www.oracle.com/us/support/library/lifetime-support-technology-069183.pdf',
  series: [
    { series: '9.7', end_of_life: null, latest: null },
    { series: '9.6', end_of_life: '2026-04-21', latest: null },
    { series: '9.5', end_of_life: '2026-01-20', latest: null },
    { series: '9.4', end_of_life: '2025-10-21', latest: null },
    { series: '9.3', end_of_life: '2025-07-22', latest: null },
    { series: '9.2', end_of_life: '2025-04-15', latest: null },
    { series: '9.1', end_of_life: '2025-01-21', latest: null },
    { series: '9.0', end_of_life: '2024-10-15', latest: null },
    { series: '8.4', end_of_life: '2032-04-30', latest: '8.4.10' },
    { series: '8.3', end_of_life: '2024-04-30', latest: null },
    { series: '8.2', end_of_life: '2024-01-16', latest: null },
    { series: '8.1', end_of_life: '2023-10-25', latest: null },
    { series: '8.0', end_of_life: '2026-04-30', latest: '8.0.46' },
    { series: '5.7', end_of_life: '2023-10-31', latest: '5.7.44' },
    { series: '5.6', end_of_life: '2021-02-28', latest: '5.6.51' },
    { series: '5.5', end_of_life: '2018-12-31', latest: null },
    { series: '5.1', end_of_life: '2013-12-31', latest: null },
  ],
};
