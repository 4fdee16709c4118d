import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Evidence } from '../../contract/dashboard/evidence.ts';
import { batchesOf, inBatches } from '../../database/batches.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import type { DetectorDescription } from '../../domain/check-description.ts';
import { shortFileName } from '../../domain/short-file-name.ts';
import { readAuditEntries } from '../../resources/audit-log/audit-entries.ts';
import {
  attestationsById,
  attestationsInEffect,
  type ScanRecord,
  scansOf,
} from '../../resources/audit-pack/history.ts';
import {
  decidedFindings,
  decidedRisks,
  type UnresolvedFinding,
  unresolvedBatch,
} from '../../resources/audit-pack/risks.ts';
import type { KeyRing } from '../../resources/credentials/key-ring.ts';
import { openContent } from '../../resources/evidence/content.ts';
import { snapshotOfControls, writeContent } from '../evidence/snapshots.ts';
import { jsonArray as arrayOf, prettyJsonArray } from '../exports/json-array.ts';
import { jsonLines as linesOf } from '../exports/json-lines.ts';
import type { PackFacts } from './facts.ts';
import { readme } from './readme.ts';

interface PackServices {
  readonly store: TenantStore;
  readonly ring: KeyRing;
  readonly detectors: readonly DetectorDescription[];
  readonly version: string;
  /** Writes the report, a PDF. */
  readonly writeReport: (signal: AbortSignal) => Promise<Uint8Array>;
}

/** Maximum number of decisions, and of attestations, in a file. */
const most = 20_000;

type Content = () => Promise<Readable> | Readable;

/**
 * Streams the audit pack as a ZIP file: the report, the same facts as JSON, the evidence, and the SHA-256 of each file in the
 * format of `sha256sum`. Keeps at most one piece in memory. An error destroys the stream.
 */
export function streamPack(facts: PackFacts, services: PackServices): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const sums: string[] = [];
  let current: Readable | undefined;
  const gone = new AbortController();
  // A client that disconnects stops all reads and writes made for it.
  output.once('close', () => {
    gone.abort();
    current?.destroy();
  });
  const follow = (stream: Readable, path: string): Readable => {
    current = stream.on('error', error => output.destroy(error));
    return stream.pipe(hashing(hash => sums.push(`${hash}  ${path}\n`)));
  };
  const options = { mtime: new Date(facts.madeAt), mode: 0o100644 };
  for (const [path, content] of contents(facts, services, gone.signal)) {
    // These formats are already compressed.
    const compress = !/\.(png|jpe?g|webp|docx|xlsx|odt|pdf)$/i.test(path);
    zip.addReadStreamLazy(path, { ...options, compress }, done => {
      const begin = async () => follow(await content(), path);
      begin().then(
        stream => done(null, stream),
        error => output.destroy(error),
      );
    });
  }
  zip.addReadStreamLazy('SHA256SUMS', options, done => done(null, Readable.from([sums.join('')])));
  (zip as unknown as NodeJS.EventEmitter).on('error', (error: Error) => output.destroy(error));
  zip.end();
  return output;
}

/** Passes data through and reports its SHA-256 in hexadecimal at the end. */
function hashing(done: (hash: string) => void): Transform {
  const hash = createHash('sha256');
  return new Transform({
    transform(chunk, _encoding, next) {
      hash.update(chunk);
      next(null, chunk);
    },
    flush(next) {
      done(hash.digest('hex'));
      next();
    },
  });
}

function contents(
  facts: PackFacts,
  { store, ring, detectors, version, writeReport }: PackServices,
  signal: AbortSignal,
): Map<string, Content> {
  const { period, organization } = facts;
  const jsonArray = <Item>(
    ids: string[],
    read: (session: TenantSession, ids: readonly string[]) => Promise<Item[]>,
  ) =>
    Readable.from(arrayOf(batchesOf(ids, batch => store.read(session => read(session, batch)))), {
      objectMode: false,
    });
  const json = (value: unknown) => Readable.from([`${JSON.stringify(value, null, 2)}\n`]);
  const files = new Map<string, Content>([
    ['README.txt', () => Readable.from([readme(facts)])],
    ['report.pdf', async () => inPieces(await writeReport(signal))],
    [
      'json/pack.json',
      () => {
        const { madeAt: made_at, madeBy: made_by } = facts;
        return json({ format: 'parapet-audit-pack-1', organization, period, made_at, made_by, version });
      },
    ],
    [
      'json/controls.json',
      async () =>
        // Read completely first, so that slow downloads do not keep a transaction open.
        inPieces(
          await store.read(async session =>
            writeContent((await snapshotOfControls(session, detectors)).content),
          ),
        ),
    ],
    ['json/out-of-scope.json', () => json(facts.outOfScope)],
    [
      'json/findings.jsonl',
      () =>
        jsonLines(
          inBatches<UnresolvedFinding>((last, limit) =>
            store.read(session => unresolvedBatch(session, last, limit)),
          ),
        ),
    ],
    [
      'json/decisions.json',
      async () => jsonArray(await store.read(session => decidedFindings(session, most)), decidedRisks),
    ],
    [
      'json/attestations.json',
      async () =>
        jsonArray(await store.read(session => attestationsInEffect(session, period, most)), attestationsById),
    ],
    [
      'json/evidence.json',
      () =>
        Readable.from(
          prettyJsonArray(facts.evidence, item => ({ ...item, path: pathOf(item) })),
          { objectMode: false },
        ),
    ],
    [
      'json/scans.jsonl',
      () =>
        jsonLines(
          inBatches<ScanRecord>((last, limit) =>
            store.read(session => scansOf(session, period, last, limit)),
          ),
        ),
    ],
    ['json/audit-log.jsonl', () => jsonLines(readAuditEntries(store, period))],
    ['json/audit-chain.json', () => json(facts.chain)],
  ]);
  for (const item of facts.evidence) {
    files.set(pathOf(item), async () => {
      const pieces = await openContent(store, ring, item.id);
      // Evidence deleted while the pack is written becomes an empty file. Its hash stays in the report.
      return Readable.from(pieces ?? [], { objectMode: false });
    });
  }
  return files;
}

const pieceBytes = 64 * 1024;

/** Split into pieces, so that hashing does not block the event loop. */
function inPieces(bytes: Uint8Array): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  return Readable.from(pieces, { objectMode: false });
}

/** The id makes the path unique. A long name is shortened; `json/evidence.json` contains the full name. */
function pathOf({ id, name }: Evidence): string {
  return `evidence/${id}/${shortFileName(name)}`;
}

function jsonLines(batches: AsyncIterable<readonly object[]>): Readable {
  return Readable.from(linesOf(batches), { objectMode: false });
}
