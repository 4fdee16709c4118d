import type { ReleaseTable } from './table.ts';

/**
 * PostgreSQL's major versions, with the end-of-life dates of its versioning policy and the minor releases of
 * 2026-05-14 (18.4, 17.10, 16.14, 15.18, 14.23). Newer ones may exist: a server that lacks only those is not
 * reported until this table is updated, because missing a finding is better than a false one.
 */
export const postgresReleases: ReleaseTable = {
  product: 'PostgreSQL',
  as_of: '2026-05-14',
  source: 'https://www.postgresql.org/support/versioning/',
  series: [
    { series: '18', end_of_life: '2030-11-14', latest: '18.4' },
    { series: '17', end_of_life: '2029-11-08', latest: '17.10' },
    { series: '16', end_of_life: '2028-11-09', latest: '16.14' },
    { series: '15', end_of_life: '2027-11-11', latest: '15.18' },
    { series: '14', end_of_life: '2026-11-12', latest: '14.23' },
    { series: '13', end_of_life: '2025-11-13', latest: '13.23' },
    { series: '12', end_of_life: '2024-11-21', latest: '12.22' },
    { series: '11', end_of_life: '2023-11-09', latest: '11.22' },
    { series: '10', end_of_life: '2022-11-10', latest: '10.23' },
    { series: '9.6', end_of_life: '2021-11-11', latest: '9.6.24' },
    { series: '9.5', end_of_life: '2021-02-11', latest: '9.5.25' },
  ],
};
