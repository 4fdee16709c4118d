/**
 * Publication dates of advisories according to the GitHub Advisory Database. Retire.js's repository has no
 * dates, so new advisories are added here by hand. Earlier ones are not needed, because only the newest date
 * counts, and a missing date makes the table seem older, never newer.
 */
export const publicationDates: Readonly<Record<string, string>> = {
  'GHSA-9qr9-h5gf-34mp': '2025-12-03',
  'GHSA-mwv6-3258-q52c': '2025-12-11',
  'GHSA-w37m-7fhw-fmv9': '2025-12-11',
  'GHSA-5j59-xgg2-r9c4': '2025-12-12',
  'CVE-2025-13465': '2026-01-21',
};
