import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import table from './preload-table.json' with { type: 'json' };

/** Date of the bundled list (YYYY-MM-DD). */
export const preloadListDate: string = table.date;

/**
 * The name on the HSTS preload list that makes browsers use HTTPS for a host: its own, or that of a parent domain that is listed with its
 * subdomains. Null if there is none. The bundled table has the first 40 bits of each name's hash: one of ten million names that are not
 * listed appears to be.
 *
 * @param host in lowercase ASCII
 */
export function preloadedAs(host: string): string | null {
  if (hostsAlone().has(host)) return host;
  const labels = host.split('.');
  const parents = labels.map((_, at) => labels.slice(at).join('.'));
  return parents.find(isListedWithSubdomains) ?? null;
}

let alone: ReadonlySet<string> | undefined;
const hostsAlone = () => (alone ??= new Set(table.without_subdomains));

/** Hashes are grouped by their first 16 bits. */
const groups = 65_536;

interface Hashes {
  /** By group, where its hashes begin: the number of hashes in all groups before it. */
  readonly begins: Uint32Array;
  /** Bits 17 to 40 of each hash, in order. */
  readonly rest: Buffer;
}

let hashes: Hashes | undefined;

function isListedWithSubdomains(name: string): boolean {
  hashes ??= readHashes(inflateRawSync(Buffer.from(table.with_subdomains, 'base64')));
  const [group, rest] = hashOf(name);
  for (let at = hashes.begins[group]!; at < hashes.begins[group + 1]!; at += 1) {
    if (hashes.rest.readUIntBE(at * 3, 3) === rest) return true;
  }
  return false;
}

function readHashes(bytes: Buffer): Hashes {
  const begins = new Uint32Array(groups + 1);
  for (let group = 0; group < groups; group += 1) begins[group + 1] = begins[group]! + bytes[group]!;
  return { begins, rest: bytes.subarray(groups) };
}

function hashOf(name: string): readonly [group: number, rest: number] {
  const hash = createHash('sha256').update(name).digest();
  return [hash.readUInt16BE(0), hash.readUIntBE(2, 3)];
}

/** Writes the table, compressed: the number of hashes in each group, then the rest of each hash. @throws RangeError if a group has more than 255 */
export function writeHashes(names: Iterable<string>): string {
  const sorted = [...names].map(hashOf).sort(([a, b], [c, d]) => a - c || b - d);
  const bytes = Buffer.alloc(groups + sorted.length * 3);
  sorted.forEach(([group, rest], at) => {
    bytes.writeUInt8(bytes[group]! + 1, group);
    bytes.writeUIntBE(rest, groups + at * 3, 3);
  });
  return deflateRawSync(bytes, { level: 9 }).toString('base64');
}
