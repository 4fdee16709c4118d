import { LRUCache } from 'lru-cache';
import type { Finding, ListFindingsQuery } from '../../contract/findings.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { type FindingPlace, findingColumns, findingsWithIds, listFindingPlaces } from './findings.ts';

/** The JSON of a finding at one version of its row. */
interface FindingText {
  readonly version: string;
  readonly text: Buffer;
}

export interface FindingListText {
  /** The JSON of `FindingList`. */
  readonly body: Buffer;
  /** Determines the body. */
  readonly content: string;
}

/** Cache size in bytes. */
const keptBytes = 64 * 1024 * 1024;

/** How often a page is read again because a row changed meanwhile. */
const mostReads = 5;

const start = Buffer.from('{"findings":[');
const comma = Buffer.from(',');

/**
 * Lists findings as JSON, and keeps the JSON of each until its row changes. Most of the cost of a list is reading and serializing its
 * findings, and few of them change between two requests.
 */
export class FindingTexts {
  readonly #texts = new LRUCache<string, FindingText>({
    maxSize: keptBytes,
    sizeCalculation: ({ text }, id) => text.length + id.length,
  });

  /** Throws `invalid_cursor`. */
  async list(store: TenantStore, query: ListFindingsQuery): Promise<FindingListText> {
    for (let reads = 1; ; reads++) {
      const { rows, next_cursor } = await listFindingPlaces(store, query);
      const texts = await this.#textsOf(store, rows);
      // One that keeps changing is returned as it is now.
      if (reads < mostReads && rows.some(({ id, version }) => texts.get(id)?.version !== version)) continue;
      const listed = rows.flatMap(({ id }) => texts.get(id) ?? []);
      const parts = listed.flatMap(({ text }, index) => (index === 0 ? [text] : [comma, text]));
      const end = `],"next_cursor":${JSON.stringify(next_cursor)}}`;
      const versions = rows.map(({ id }) => `${id} ${texts.get(id)?.version}`);
      return {
        body: Buffer.concat([start, ...parts, Buffer.from(end)]),
        content: [...findingColumns, ...versions, end].join(' '),
      };
    }
  }

  /** The texts of these findings, of these versions or newer ones. */
  async #textsOf(
    store: TenantStore,
    rows: readonly FindingPlace[],
  ): Promise<ReadonlyMap<string, FindingText>> {
    const texts = new Map<string, FindingText>();
    const missing: string[] = [];
    for (const { id, version } of rows) {
      const kept = this.#texts.get(id);
      if (kept?.version === version) texts.set(id, kept);
      else missing.push(id);
    }
    if (missing.length === 0) return texts;
    for (const { version, ...finding } of await findingsWithIds(store, missing)) {
      const text = { version, text: Buffer.from(JSON.stringify(finding satisfies Finding)) };
      this.#texts.set(finding.id, text);
      texts.set(finding.id, text);
    }
    return texts;
  }
}
