import type { ReleaseTable } from './table.ts';

/**
 * MariaDB Community Server's series. Rolling releases are supported until the next one; 10.6, 10.11, 11.4,
 * 11.8 and 12.3 are long-term. `latest` is null unless the release notes state the newest release.
 */
export const mariadbReleases: ReleaseTable = {
  product: 'MariaDB',
  as_of: '2026-08-13',
  source: 'https://mariadb.org/about/#maintenance-policy',
  series: [
    { series: '12.3', end_of_life: '2029-06-30', latest: null },
    { series: '12.2', end_of_life: '2026-05-13', latest: null },
    { series: '12.1', end_of_life: '2026-02-13', latest: null },
    { series: '12.0', end_of_life: '2025-11-18', latest: null },
    // 11.8.6 is from February 2026: newer releases existed by the table's date.
    { series: '11.8', end_of_life: '2028-06-04', latest: null, known: '11.8.6' },
    { series: '11.7', end_of_life: '2025-05-12', latest: null },
    { series: '11.6', end_of_life: '2025-02-13', latest: null },
    { series: '11.5', end_of_life: '2024-11-21', latest: null },
    { series: '11.4', end_of_life: '2029-05-29', latest: null },
    { series: '11.3', end_of_life: '2024-05-29', latest: null },
    { series: '11.2', end_of_life: '2024-11-21', latest: null },
    { series: '11.1', end_of_life: '2024-08-21', latest: null },
    { series: '11.0', end_of_life: '2024-06-06', latest: null },
    { series: '10.11', end_of_life: '2028-02-16', latest: '10.11.18' },
    { series: '10.10', end_of_life: '2023-11-17', latest: null },
    { series: '10.9', end_of_life: '2023-08-22', latest: null },
    { series: '10.8', end_of_life: '2023-05-20', latest: null },
    { series: '10.7', end_of_life: '2023-02-09', latest: null },
    { series: '10.6', end_of_life: '2026-07-06', latest: '10.6.28' },
    { series: '10.5', end_of_life: '2025-06-24', latest: null },
    { series: '10.4', end_of_life: '2024-06-18', latest: '10.4.34' },
    { series: '10.3', end_of_life: '2023-05-25', latest: null },
    { series: '10.2', end_of_life: '2022-05-23', latest: null },
    { series: '10.1', end_of_life: '2020-10-17', latest: null },
    { series: '10.0', end_of_life: '2019-03-31', latest: null },
    { series: '5.5', end_of_life: '2020-04-11', latest: null },
  ],
};
