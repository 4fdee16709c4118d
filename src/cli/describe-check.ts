/** Looks up the check of a category; undefined for an unknown one. API answers do not include why a finding matters. */
export type DescribeCheck = (category: string) => CheckDescription | undefined;

interface CheckDescription {
  readonly title: string;
  /** Why it matters, in one sentence. */
  readonly why: string;
}

/** URL of the page that documents all checks, with check IDs as anchors. @param url without a trailing slash */
export function checksPageOf(url: string): string {
  return `${url}/docs/checks`;
}

/** URL of a finding in the dashboard. @param url without a trailing slash */
export function findingPageOf(url: string, id: string): string {
  return `${url}/dashboard/findings/${id}`;
}
