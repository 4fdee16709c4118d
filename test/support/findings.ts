import { randomUUID } from 'node:crypto';
import { recordPosture } from '../../src/resources/posture/posture.ts';
import type { AuthorizedSource } from './authorized-source.ts';

/** Properties of a finding that differ from the defaults. */
export interface FindingInput {
  readonly severity?: string;
  readonly category?: string;
  readonly title?: string;
  readonly locator?: string;
  readonly remediation?: string;
  readonly hipaa?: boolean;
  readonly createdAt?: string;
  readonly lastSeenAt?: string;
  readonly resolved?: boolean;
  /** How often it was opened. Default once. */
  readonly episodes?: number;
}

/** Stores findings of the source, as if scans had reported them. Returns their ids, in order. */
export async function storeFindings(
  { store, systemId, sourceId }: Pick<AuthorizedSource, 'store' | 'systemId' | 'sourceId'>,
  inputs: readonly FindingInput[],
): Promise<string[]> {
  return store.transaction(async transaction => {
    const ids: string[] = [];
    for (const input of inputs) {
      const [row] = await transaction.query<{ id: string }>({
        text: `insert into findings (system_id, source_id, category, fingerprint, locator, severity, title, remediation,
            seen, hipaa, observed, created_at, last_seen_at, reopened_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, 'It was seen.', $9, $10, $11, $12, $13) returning id`,
        values: [
          systemId,
          sourceId,
          input.category ?? 'website.tls.expired',
          randomUUID(),
          input.locator ?? 'https://shop.example/',
          input.severity ?? 'high',
          input.title ?? 'The certificate has expired',
          input.remediation ?? 'Fix it.',
          input.hipaa ?? false,
          !input.resolved,
          input.createdAt ?? new Date().toISOString(),
          input.lastSeenAt ?? new Date().toISOString(),
          (input.episodes ?? 1) > 1 ? new Date().toISOString() : null,
        ],
      });
      ids.push(row!.id);
      await transaction.query({
        text: `insert into finding_episodes (finding_id, number, opened_by_scan, closed_at)
          select $1, n, gen_random_uuid(), case when n < $2 or $3 then now() end from generate_series(1, $2::int) as n`,
        values: [row!.id, input.episodes ?? 1, input.resolved ?? false],
      });
    }
    await recordPosture(transaction, sourceId);
    return ids;
  });
}
