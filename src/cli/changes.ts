import type { Finding, FindingStatus } from '../contract/findings.ts';
import type { Scan } from '../contract/scans.ts';
import type { Client } from './client.ts';
import { readFindings, type Target } from './read-lists.ts';

/** How the open findings of a target changed since before a scan. */
export interface Changes {
  readonly created: readonly Finding[];
  readonly reopened: readonly Finding[];
  readonly resolved: readonly Finding[];
  /** False if the findings of before the scan are not known: then only `created` is complete. */
  readonly isComplete: boolean;
}

/**
 * Compares the open findings of before and after a scan. A finding that a scan detects again has a new `updated_at` too, so times alone do not
 * show that one was reopened.
 *
 * @param before undefined for a scan that had started before it was requested here
 */
export async function findChanges(
  client: Client,
  target: Target,
  scan: Pick<Scan, 'created_at'>,
  before: readonly Finding[] | undefined,
  after: readonly Finding[],
): Promise<Changes> {
  const wasOpen = new Set(before?.map(({ id }) => id));
  const requestedAt = Date.parse(scan.created_at);
  const isNew = ({ created_at }: Finding) => Date.parse(created_at) >= requestedAt;
  const opened = after.filter(({ id }) => !wasOpen.has(id));
  const created = opened.filter(isNew);
  if (!before) return { created, reopened: [], resolved: [], isComplete: false };
  const isOpen = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !isOpen.has(id));
  const triaged = gone.length === 0 ? new Set() : await triagedIds(client, target);
  return {
    created,
    reopened: opened.filter(finding => !isNew(finding)),
    resolved: gone.filter(({ id }) => !triaged.has(id)),
    isComplete: true,
  };
}

/** Findings that people accepted or marked as false positives: they are not open, but not resolved either. */
async function triagedIds(client: Client, target: Target): Promise<ReadonlySet<string>> {
  const statuses: FindingStatus[] = ['accepted', 'false_positive'];
  const ids = new Set<string>();
  for (const status of statuses) {
    for (const { id } of await readFindings(client, target, status)) ids.add(id);
  }
  return ids;
}
