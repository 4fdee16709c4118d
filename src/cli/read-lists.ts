import type { Finding, FindingStatus } from '../contract/findings.ts';
import type { Source } from '../contract/sources.ts';
import type { System } from '../contract/systems.ts';
import type { SarifPlace } from '../formats/sarif.ts';
import type { Client } from './client.ts';
import { requestJson } from './request-json.ts';

export interface Target {
  readonly kind: 'system' | 'source';
  readonly id: string;
}

/** Reads all pages of the findings of a target with a status, newest first. */
export async function readFindings(
  client: Client,
  { kind, id }: Target,
  status: FindingStatus,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const page of pages<'findings', Finding>(client, 'findings', {
    status,
    [`${kind}_id`]: id,
  })) {
    findings.push(...page);
  }
  return findings;
}

/** Looks up the name of a target and the host of a source. */
export async function describeTarget(client: Client, { kind, id }: Target): Promise<SarifPlace> {
  if (kind === 'system') {
    const system = await findById<System>(pages<'systems', System>(client, 'systems'), id);
    return { kind, id, name: system?.name ?? id };
  }
  const source = await findById<Source>(pages<'sources', Source>(client, 'sources'), id);
  return { kind, id, name: source?.name ?? id, ...(source ? { host: source.host } : {}) };
}

async function findById<T extends { id: string }>(
  found: AsyncIterable<readonly T[]>,
  id: string,
): Promise<T | undefined> {
  for await (const page of found) {
    const match = page.find(item => item.id === id.toLowerCase());
    if (match) return match;
  }
  return undefined;
}

export async function* pages<Name extends string, T>(
  client: Client,
  name: Name,
  filters: Record<string, string> = {},
  signal?: AbortSignal,
): AsyncGenerator<readonly T[]> {
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ ...filters, ...(cursor ? { cursor } : {}) });
    type Page = { readonly [N in Name]: readonly T[] } & { readonly next_cursor: string | null };
    const page: Page = await requestJson<Page>(client, 'GET', `/api/v1/${name}?${query}`, { signal });
    yield page[name];
    cursor = page.next_cursor;
  } while (cursor !== null);
}
