import { at, inQuotes, listed, name, next, quote, type Signature, version } from './signature.ts';

const assignments: Readonly<Record<string, readonly string[]>> = {
  ckeditor5: ['CKEDITOR_VERSION='],
  trix: ['.Trix={VERSION:'],
};

/** Editors of rich text and code, and viewers of documents. */
export const editorSignatures: readonly Signature[] = [
  ...listed(assignments, inQuotes),
  at(
    'ckeditor',
    'timestamp:',
    String.raw`${quote}\w{1,20}${quote},version:${quote}${version}(?: \([^)]{1,30}\))?${quote},revision:`,
  ),
  at(
    'ckeditor',
    'timestamp:',
    String.raw`${quote}\w{1,20}${quote},version:${quote}${version}["'\x60 ]`,
    'CKEDITOR.{1,120}',
  ),
  at('ckeditor5', '.CKEDITOR_VERSION)', '', `${inQuotes}[,;].{1,130}?`),
  at(
    'codemirror',
    '.fromTextArea=',
    String.raw`${name}[,;]${name}\(${name}\)[,;]${name}\.version=${inQuotes}`,
  ),
  at('codemirror', '.keyNames=', String.raw`${name}[,;]${name}\.version=${inQuotes}`),
  at('codemirror', 'CodeMirror.version = ', inQuotes),
  at('froala', '.INSTANCES=[]', '', String.raw`\.VERSION=${inQuotes}${next}${name}`),
  at('froala', 'INSTANCES:[],OPTS_MAPPING:', '', `VERSION:${inQuotes},`),
  at('pdfjs', 'apiVersion:', inQuotes, `${quote}GetDocRequest${quote},.{1,60}`),
  at('pdfjs', 'apiVersion:', `${inQuotes},data:`, String.raw`docId:[\w$.]{1,40},`),
  at('pdfjs', 'The API version ', '', `${inQuotes}[,;].{0,80}?`),
  at('pdfjs', 'pdfjsVersion = ', inQuotes),
  at('pdfjs', 'PDFJS.version=', inQuotes),
  at('pdfjs', 'PDFJS.version = ', inQuotes),
  at('quill', 'static version=', `${inQuotes};static imports=\\{delta:`),
  at('quill', '.imports={delta:', '', String.raw`\.version=${inQuotes}${next}${name}`),
  // Not 1 and 2, which are those of HugeRTE.
  at(
    'tinymce',
    'majorVersion:',
    String.raw`${quote}(?<major>[3-9]|\d{2})${quote},minorVersion:${quote}(?<minor>\d{1,3}(?:\.\d{1,3})?)${quote},releaseDate:`,
  ),
  at('trix', ',core:', `${name},models:`, `VERSION:${inQuotes},config:${name}`),
  at('trix', '[data-trix-attachment]', quote, `${inQuotes}${next}${name}=${quote}`),
];
