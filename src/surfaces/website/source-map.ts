import { parseBounded } from '../../bytes/json-meter.ts';
import type { HttpResponse } from '../../captures/website.ts';

/** A source file that a source map carries. */
export interface OriginalFile {
  /** As the map names it. */
  readonly name: string;
  readonly text: string;
}

/** Characters of names, and files of one map, that are kept. */
const longestName = 300;
const mostFiles = 5_000;

/** Names of the functions of large bundles are some 100,000 values. As many empty lists are 10 MB in memory. */
const mapBounds = { bytes: 32 * 1024 * 1024, values: 400_000, depth: 32 };

const comment = /\/[/*][#@]\s?sourceMappingURL=([^\s'"]+)/g;

/**
 * What a script or style sheet names as its source map (ECMA-426, 11.1): in a header, or in its last comment of this form. It may be a
 * `data:` URL. Null if it names none.
 */
export function sourceMapReference({ headers, body }: HttpResponse): string | null {
  const named = headers.find(([name]) => name === 'sourcemap' || name === 'x-sourcemap')?.[1].trim();
  if (named) return named;
  let last: string | null = null;
  for (const [, reference] of body.matchAll(comment)) last = reference!;
  return last;
}

/** The text of a `data:` URL; null for other URLs, and other media types than JSON. */
export function inlineMap(reference: string): string | null {
  const [, parameters = '', data = ''] = /^data:application\/json([^,]{0,100}),(.*)$/is.exec(reference) ?? [];
  if (data === '') return null;
  if (/;base64/i.test(parameters)) return Buffer.from(data, 'base64').toString('utf8');
  try {
    return decodeURIComponent(data);
  } catch {
    return null;
  }
}

/**
 * The files with text of a source map, also of its sections; null if it is not one. The rest of a map with more files or values than the
 * scan reads is left out.
 */
export function originalsOf(
  text: string,
): { readonly files: readonly OriginalFile[]; readonly isComplete: boolean } | null {
  // Servers may put a line before it, so that it does not run as a script.
  const json = parseBounded(text.replace(/^\)\]\}'[^\n]{0,100}\n/, ''), mapBounds);
  if (json === 'too_large') return { files: [], isComplete: false };
  const map = json?.value;
  if (!isMap(map)) return null;
  const sections = Array.isArray(map.sections)
    ? map.sections.flatMap(section => mapOfSection(section))
    : [map];
  const files = sections.flatMap(filesOf);
  return { files: files.slice(0, mostFiles), isComplete: files.length <= mostFiles };
}

interface SourceMap {
  readonly version?: unknown;
  readonly sections?: unknown;
  readonly sources?: unknown;
  readonly sourcesContent?: unknown;
}

const isMap = (value: unknown): value is SourceMap =>
  typeof value === 'object' && value !== null && (value as SourceMap).version === 3;

function mapOfSection(section: unknown): SourceMap[] {
  const { map } = (typeof section === 'object' && section !== null ? section : {}) as {
    readonly map?: unknown;
  };
  return isMap(map) ? [map] : [];
}

function filesOf({ sources, sourcesContent }: SourceMap): OriginalFile[] {
  if (!Array.isArray(sources) || !Array.isArray(sourcesContent)) return [];
  return sources.flatMap((name, index) => {
    const text: unknown = sourcesContent[index];
    return typeof name === 'string' && typeof text === 'string' && text !== ''
      ? [{ name: name.slice(0, longestName), text }]
      : [];
  });
}
