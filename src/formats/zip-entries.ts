/** One entry of a ZIP archive's central directory. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored as it is; 8: deflated. */
  readonly method: number;
  readonly compressedSize: number;
  /** Where its local header begins. */
  readonly offset: number;
}

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localEntry = 0x04034b50;
const mostEntries = 10_000;

/**
 * The entries of a ZIP archive, from its central directory, without unpacking anything. Undefined when the bytes are not
 * one archive from beginning to end, or it uses what documents do not need: encryption, parts, ZIP64.
 * Source: PKWARE APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
 */
export function zipEntries(bytes: Buffer): ZipEntry[] | undefined {
  if (bytes.length < 22 || bytes.readUInt32LE(0) !== localEntry) return undefined;
  const end = findEnd(bytes);
  if (end === undefined) return undefined;
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  if (count === 0 || count > mostEntries || start + bytes.readUInt32LE(end + 12) !== end) return undefined;
  const entries: ZipEntry[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== directoryEntry) return undefined;
    const encrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
    const nameLength = bytes.readUInt16LE(at + 28);
    const offset = bytes.readUInt32LE(at + 42);
    if (encrypted || offset + 30 > start || bytes.readUInt32LE(offset) !== localEntry) return undefined;
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      compressedSize: bytes.readUInt32LE(at + 20),
      offset,
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return at === end ? entries : undefined;
}

/** The content of an entry that is stored as it is; undefined for any other. */
export function storedContent(bytes: Buffer, entry: ZipEntry): Buffer | undefined {
  if (entry.method !== 0) return undefined;
  const from =
    entry.offset + 30 + bytes.readUInt16LE(entry.offset + 26) + bytes.readUInt16LE(entry.offset + 28);
  return bytes.subarray(from, from + entry.compressedSize);
}

/** The record is the last thing in the file, but for a comment. */
function findEnd(bytes: Buffer): number | undefined {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 65_535); at -= 1) {
    if (bytes.readUInt32LE(at) === endOfDirectory && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length) {
      return at;
    }
  }
  return undefined;
}
