import type { ReleaseTable } from './table.ts';

/**
 * The OWASP Core Rule Set's series: the two newest of version 4 are supported, and 4.25 until the third quarter of 2027. Support of a
 * series of version 4 ended when the second next one was released. For 3.2 and older, the project names no day: theirs is the day on
 * which its policy was read.
 */
export const coreRuleSetReleases: ReleaseTable = {
  product: 'OWASP CRS',
  as_of: '2026-07-24',
  source: 'https://github.com/coreruleset/coreruleset/security/policy',
  series: [
    { series: '4.28', end_of_life: null, latest: '4.28.0' },
    { series: '4.27', end_of_life: null, latest: '4.27.0' },
    { series: '4.26', end_of_life: '2026-07-02', latest: '4.26.0' },
    { series: '4.25', end_of_life: '2027-09-30', latest: '4.25.1' },
    { series: '4.24', end_of_life: '2026-05-03', latest: '4.24.1' },
    { series: '4.23', end_of_life: '2026-03-28', latest: '4.23.0' },
    { series: '4.22', end_of_life: '2026-02-28', latest: '4.22.0' },
    { series: '4.21', end_of_life: '2026-02-04', latest: '4.21.0' },
    { series: '4.20', end_of_life: '2026-01-05', latest: '4.20.0' },
    { series: '4.19', end_of_life: '2025-12-02', latest: '4.19.0' },
    { series: '4.18', end_of_life: '2025-11-02', latest: '4.18.0' },
    { series: '4.17', end_of_life: '2025-10-02', latest: '4.17.1' },
    { series: '4.16', end_of_life: '2025-09-03', latest: '4.16.0' },
    { series: '4.15', end_of_life: '2025-07-31', latest: '4.15.0' },
    { series: '4.14', end_of_life: '2025-06-29', latest: '4.14.0' },
    { series: '4.13', end_of_life: '2025-06-03', latest: '4.13.0' },
    { series: '4.12', end_of_life: '2025-04-29', latest: '4.12.0' },
    { series: '4.11', end_of_life: '2025-03-31', latest: '4.11.0' },
    { series: '4.10', end_of_life: '2025-03-02', latest: '4.10.0' },
    { series: '4.9', end_of_life: '2025-01-27', latest: '4.9.0' },
    { series: '4.8', end_of_life: '2024-12-29', latest: '4.8.0' },
    { series: '4.7', end_of_life: '2024-11-29', latest: '4.7.0' },
    { series: '4.6', end_of_life: '2024-10-28', latest: '4.6.0' },
    { series: '4.5', end_of_life: '2024-09-24', latest: '4.5.0' },
    { series: '4.4', end_of_life: '2024-08-27', latest: '4.4.0' },
    { series: '4.3', end_of_life: '2024-07-23', latest: '4.3.0' },
    { series: '4.2', end_of_life: '2024-06-23', latest: '4.2.0' },
    { series: '4.1', end_of_life: '2024-05-24', latest: '4.1.0' },
    { series: '4.0', end_of_life: '2024-04-23', latest: '4.0.0' },
    { series: '3.3', end_of_life: '2026-09-30', latest: '3.3.10' },
    { series: '3.2', end_of_life: '2026-07-24', latest: '3.2.3' },
    { series: '3.1', end_of_life: '2026-07-24', latest: '3.1.2' },
    { series: '3.0', end_of_life: '2026-07-24', latest: null },
    { series: '2', end_of_life: '2026-07-24', latest: null },
  ],
};
