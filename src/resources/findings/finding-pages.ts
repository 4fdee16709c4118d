import { LRUCache } from 'lru-cache';
import type { Finding, ListFindingsQuery } from '../../contract/findings.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { findingColumns, type ListedFinding, listFindings } from './findings.ts';

/** The JSON of a finding at one version of its row. */
interface FindingText {
  readonly id: string;
  readonly version: string;
  readonly text: Buffer;
}

type Texts = readonly FindingText[];

export interface FindingListText {
  /** The JSON of `FindingList`. */
  readonly body: Buffer;
  /** Determines the body. */
  readonly content: string;
}

/** Cache size in bytes. */
const keptBytes = 64 * 1024 * 1024;

/** Bytes that an entry takes besides its texts and its key. */
const findingBytes = 200;

const start = Buffer.from('{"findings":[');
const comma = Buffer.from(',');

/**
 * Lists findings as JSON, and keeps the JSON of each page: the next request of the page reads only the findings that have changed. Most
 * of the cost of a list is reading and serializing findings, and few of them change between two requests.
 */
export class FindingPages {
  readonly #kept = new LRUCache<string, Texts>({
    maxSize: keptBytes,
    sizeCalculation: (texts, page) =>
      texts.reduce((bytes, { text }) => bytes + text.length + findingBytes, page.length + findingBytes),
  });

  /** Throws `invalid_cursor`. */
  async list(store: TenantStore, query: ListFindingsQuery): Promise<FindingListText> {
    const page = JSON.stringify([store.organizationId, query]);
    const kept = this.#kept.get(page) ?? [];
    const versions = new Set(kept.map(({ version }) => version));
    let { rows, next_cursor } = await listFindings(store, query, [...versions]);
    let texts = textsOf(rows, kept);
    if (texts === undefined) {
      ({ rows, next_cursor } = await listFindings(store, query));
      texts = textsOf(rows, [])!;
    }
    this.#kept.set(page, texts);
    const parts = texts.flatMap(({ text }, index) => (index === 0 ? [text] : [comma, text]));
    const end = `],"next_cursor":${JSON.stringify(next_cursor)}}`;
    return {
      body: Buffer.concat([start, ...parts, Buffer.from(end)]),
      content: [...findingColumns, ...texts.map(({ id, version }) => `${id} ${version}`), end].join(' '),
    };
  }
}

/** Undefined if a finding is new on the page, but was changed together with one of the kept page: its details were not read. */
function textsOf(rows: readonly ListedFinding[], kept: Texts): Texts | undefined {
  const byId = new Map(kept.map(text => [text.id, text]));
  const texts: FindingText[] = [];
  for (const row of rows) {
    const text = isRead(row) ? textOf(row) : byId.get(row.id);
    if (text?.version !== row.version) return undefined;
    texts.push(text);
  }
  return texts;
}

function isRead(row: ListedFinding): row is Finding & ListedFinding {
  return row.title !== null;
}

function textOf({ version, ...finding }: Finding & ListedFinding): FindingText {
  const text = JSON.stringify(finding);
  // Not from the pool of small buffers: a kept one would keep the others of its block.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { id: finding.id, version, text: bytes };
}
