import { text } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** A file type that is accepted as evidence. `accepts` checks the content, since a file name can be wrong. */
interface FileKind {
  readonly mediaType: string;
  readonly extensions: readonly string[];
  readonly accepts: (bytes: Buffer) => boolean | Promise<boolean>;
}

const openDocumentText = 'application/vnd.oasis.opendocument.text';

const kinds: readonly FileKind[] = [
  {
    mediaType: 'application/pdf',
    extensions: ['pdf'],
    accepts: bytes => begins(bytes, '%PDF-') && bytes.subarray(-1024).includes('%%EOF'),
  },
  {
    mediaType: 'image/png',
    extensions: ['png'],
    accepts: bytes => begins(bytes, '\x89PNG\r\n\x1a\n') && at(bytes, 12, 'IHDR'),
  },
  {
    mediaType: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    accepts: bytes => begins(bytes, '\xff\xd8\xff') && bytes.subarray(-1024).includes('\xff\xd9', 'latin1'),
  },
  {
    mediaType: 'image/webp',
    extensions: ['webp'],
    accepts: bytes =>
      begins(bytes, 'RIFF') && at(bytes, 8, 'WEBPVP8') && bytes.readUInt32LE(4) + 8 === bytes.length,
  },
  { mediaType: 'text/plain', extensions: ['txt', 'log', 'md'], accepts: isText },
  { mediaType: 'text/csv', extensions: ['csv'], accepts: isText },
  { mediaType: 'application/json', extensions: ['json'], accepts: isJson },
  {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extensions: ['docx'],
    accepts: bytes => isOfficeOpenXml(bytes, 'word/document.xml'),
  },
  {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['xlsx'],
    accepts: bytes => isOfficeOpenXml(bytes, 'xl/workbook.xml'),
  },
  { mediaType: openDocumentText, extensions: ['odt'], accepts: isOpenDocumentText },
];

/** Returns the media type by file extension; undefined if the type is not accepted or the content does not match. */
export async function mediaTypeOf(name: string, bytes: Buffer): Promise<string | undefined> {
  const extension = /\.([a-z]+)$/.exec(name.toLowerCase())?.[1];
  const kind = kinds.find(({ extensions }) => extension !== undefined && extensions.includes(extension));
  return kind && bytes.length > 0 && (await kind.accepts(bytes)) ? kind.mediaType : undefined;
}

function begins(bytes: Buffer, signature: string): boolean {
  return at(bytes, 0, signature);
}

/** @param signature latin1, one character for each byte */
function at(bytes: Buffer, offset: number, signature: string): boolean {
  return bytes.toString('latin1', offset, offset + signature.length) === signature;
}

/** UTF-8 without control characters, except tab, line breaks and form feed. */
function isText(bytes: Buffer): boolean {
  const text = decoded(bytes);
  return text !== undefined && !/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text);
}

function isJson(bytes: Buffer): boolean {
  const text = decoded(bytes);
  if (text === undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Rejects documents with macros or ActiveX controls. */
async function isOfficeOpenXml(bytes: Buffer, main: string): Promise<boolean> {
  return inArchive(bytes, entries => {
    const names = entries.map(({ fileName }) => fileName);
    const hasActiveContent = names.some(name => /vbaproject\.bin$|\/activex\//i.test(name));
    return names.includes('[Content_Types].xml') && names.includes(main) && !hasActiveContent;
  });
}

async function isOpenDocumentText(bytes: Buffer): Promise<boolean> {
  return inArchive(bytes, async (entries, archive) => {
    const [first] = entries;
    const names = entries.map(({ fileName }) => fileName);
    return (
      first?.fileName === 'mimetype' &&
      first.uncompressedSize === openDocumentText.length &&
      names.includes('content.xml') &&
      !names.some(name => /^(basic|scripts)\//i.test(name)) &&
      (await text(await archive.openReadStreamPromise(first))) === openDocumentText
    );
  });
}

const mostEntries = 10_000;

/** Whether the file is exactly one ZIP archive without encryption, and `isRight` accepts its entries. */
async function inArchive(
  bytes: Buffer,
  isRight: (entries: readonly Entry[], archive: ZipFile) => boolean | Promise<boolean>,
): Promise<boolean> {
  if (!begins(bytes, 'PK\x03\x04')) return false;
  try {
    const archive = await fromBufferPromise(bytes);
    if (archive.entryCount > mostEntries) return false;
    const entries: Entry[] = [];
    for await (const entry of archive.eachEntry()) entries.push(entry);
    const begin = Math.min(...entries.map(entry => entry.relativeOffsetOfLocalHeader));
    const isLocked = entries.some(entry => entry.isEncrypted());
    return begin === 0 && !isLocked && (await isRight(entries, archive));
  } catch {
    // yauzl throws plain errors for invalid archives.
    return false;
  }
}
