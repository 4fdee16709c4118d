import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { mediaTypeOf } from './file-kinds.ts';

async function zip(entries: Record<string, string>, compress = true): Promise<Buffer> {
  const file = new ZipFile();
  for (const [name, content] of Object.entries(entries))
    file.addBuffer(Buffer.from(content), name, { compress });
  file.end();
  return buffer(file.outputStream as Readable);
}

const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01', 'latin1');
const pdf = Buffer.from('%PDF-1.7\n…\n%%EOF\n');
const jpeg = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0\xff\xd9', 'latin1');
const webp = Buffer.from('RIFF\x0c\0\0\0WEBPVP8 \0\0\0\0', 'latin1');
const odtType = 'application/vnd.oasis.opendocument.text';
const docx = await zip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' });
const xlsx = await zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<w/>' });
/** As an archive with a password has it: the bit is set for each entry, here and in the directory. */
const encrypted = Buffer.from(docx);
for (const [header, flags] of [
  ['PK\x03\x04', 6],
  ['PK\x01\x02', 8],
] as const) {
  for (
    let at = encrypted.indexOf(header, 0, 'latin1');
    at >= 0;
    at = encrypted.indexOf(header, at + 1, 'latin1')
  )
    encrypted[at + flags]! |= 1;
}
const odt = await zip({ mimetype: odtType, 'content.xml': '<c/>' }, false);

it.each([
  ['a.pdf', pdf, 'application/pdf'],
  ['A.PNG', png, 'image/png'],
  ['a.jpeg', jpeg, 'image/jpeg'],
  ['a.webp', webp, 'image/webp'],
  ['notes.md', Buffer.from('# Ünïcode\r\n\tline'), 'text/plain'],
  ['a.csv', Buffer.from('\ufeffa,b\n1,2\n'), 'text/csv'],
  ['a.json', Buffer.from('{"a":1}'), 'application/json'],
  ['a.docx', docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.xlsx', xlsx, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['a.odt', odt, odtType],
])('takes %s for what it is', async (name, bytes, mediaType) => {
  expect(await mediaTypeOf(name, bytes)).toBe(mediaType);
});

it.each([
  ['a name without a type', 'report', pdf],
  ['a type that is not taken', 'page.html', Buffer.from('<p>')],
  ['a picture that is called a document', 'a.pdf', png],
  ['a document that is called a picture', 'a.png', pdf],
  ['a document that was cut off', 'a.pdf', Buffer.from('%PDF-1.7\n')],
  ['a program that is called text', 'a.txt', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1')],
  ['text in another encoding', 'a.csv', Buffer.from('é', 'latin1')],
  ['what is not JSON', 'a.json', Buffer.from('{a}')],
  ['nothing', 'a.txt', Buffer.alloc(0)],
  ['a spreadsheet that is called a text', 'a.docx', xlsx],
  ['an archive that is no document', 'a.docx', await zip({ 'a.txt': 'a' })],
  ['an archive with a password', 'a.docx', encrypted],
  ['an archive that was cut off', 'a.docx', docx.subarray(0, -1)],
  ['an archive behind something else', 'a.docx', Buffer.concat([Buffer.from('MZ'), docx])],
  [
    'a document with a program',
    'a.docx',
    await zip({ '[Content_Types].xml': '', 'word/document.xml': '', 'word/vbaProject.bin': '' }),
  ],
  [
    'an OpenDocument of another kind',
    'a.odt',
    await zip({ mimetype: `${odtType}-x`, 'content.xml': '' }, false),
  ],
])('refuses %s', async (_what, name, bytes) => {
  expect(await mediaTypeOf(name, bytes)).toBeUndefined();
});
