import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import { parseUrl } from '../../captures/page-addresses.ts';
import { isGone } from '../../captures/statuses.ts';
import type { HttpResponse, PageScript, SiteText } from '../../captures/website.ts';
import { reasonFor } from './failure.ts';
import type { HttpClient } from './http-client.ts';
import { type OriginHeaders, requestFor } from './navigate.ts';
import { mapMayAct } from './offers/acting-words.ts';
import { isOwn } from './page-scripts.ts';
import type { Reach } from './reach.ts';
import { inlineMap, originalsOf, sourceMapReference } from './source-map.ts';
import { styleSheetsOf } from './style-sheets.ts';

const styleBytes = 1024 * 1024;
const mapBytes = 8 * 1024 * 1024;

/** Characters of original files that are kept in total. */
const mostText = 16 * 1024 * 1024;

/**
 * Reads the style sheets of the page, and the original files that the source maps of its scripts and style sheets carry. Maps that are
 * part of a script need no request; the rest is requested in full scans only.
 */
export async function furtherTexts(
  client: HttpClient,
  page: HttpResponse,
  scripts: readonly PageScript[],
  credential: OriginHeaders | null,
  {
    sourceMaps,
    styleSheets,
    safely,
  }: Pick<Reach, 'styleSheets' | 'safely'> & {
    /** Null if none is requested. */
    readonly sourceMaps: number | null;
  },
): Promise<SiteText[]> {
  const reader = new TextReader(client, page, credential, sourceMaps);
  for (const [index, { response }] of scripts.entries())
    if (response.assessed) await reader.addMapOf(response.value, index < safely.scripts);
  for (const url of styleSheetsOf(page).slice(0, styleSheets)) await reader.addStyleSheet(url);
  return reader.texts;
}

class TextReader {
  readonly texts: SiteText[] = [];
  readonly #client: HttpClient;
  readonly #page: HttpResponse;
  readonly #credential: OriginHeaders | null;
  readonly #asked = new Set<string>();
  #mapsLeft: number | null;
  #textLeft = mostText;

  constructor(client: HttpClient, page: HttpResponse, credential: OriginHeaders | null, maps: number | null) {
    this.#client = client;
    this.#page = page;
    this.#credential = credential;
    this.#mapsLeft = maps;
  }

  async addStyleSheet(url: URL): Promise<void> {
    const response = await this.#fetch(url, styleBytes);
    if (!response.assessed) {
      this.#leaveOut(url.href, response.reason);
    } else if (response.value.status === 200) {
      const text = { assessed: true, value: response.value.body } as const;
      this.texts.push({ url: url.href, name: null, text, full: true });
      await this.addMapOf(response.value);
    }
  }

  /** @param isSafe whether safe scans read the response */
  async addMapOf(response: HttpResponse, isSafe = false): Promise<void> {
    const reference = response.body === '' ? null : sourceMapReference(response);
    if (reference === null) return;
    if (/^data:/i.test(reference)) return this.#keep(response.url, inlineMap(reference) ?? '', isSafe);
    const url = parseUrl(reference, response.url);
    if (url === null || !isOwn(url, this.#page) || this.#asked.has(url.href)) return;
    if (this.#mapsLeft === null) return;
    if (this.#mapsLeft === 0) return this.#leaveOut(url.href, tooManyMaps);
    this.#asked.add(url.href);
    if (mapMayAct(url)) {
      this.texts.push({ url: url.href, name: null, text: notAssessed(mayActAsMap) });
      return;
    }
    this.#mapsLeft -= 1;
    const map = await this.#fetch(url, mapBytes);
    if (!map.assessed) this.#leaveOut(url.href, map.reason);
    else if (map.value.body_truncated) this.#leaveOut(url.href, tooLong);
    else if (!isGone(map.value.status)) this.#keep(url.href, map.value.body);
  }

  #leaveOut(url: string, reason: string): void {
    this.texts.push({ url, name: null, text: notAssessed(reason), full: true });
  }

  #keep(url: string, map: string, isSafe = false): void {
    const depth = isSafe ? {} : ({ full: true } as const);
    const { files, isComplete } = originalsOf(map) ?? { files: [], isComplete: true };
    if (!isComplete) this.texts.push({ url, name: null, text: notAssessed(tooMany), ...depth });
    for (const { name, text } of files) {
      if (text.length > this.#textLeft) {
        this.texts.push({ url, name: null, text: notAssessed(tooMuch), ...depth });
        return;
      }
      this.#textLeft -= text.length;
      this.texts.push({ url, name, text: { assessed: true, value: text }, ...depth });
    }
  }

  async #fetch(url: URL, limit: number): Promise<Assessment<HttpResponse>> {
    try {
      const value = await this.#client.request(url, {
        depth: 'full',
        ...requestFor(url, this.#credential),
        readLimit: limit,
        keepLimit: limit,
        encoding: 'utf8',
      });
      return value.body_unread === null ? { assessed: true, value } : notAssessed(value.body_unread);
    } catch (error) {
      return notAssessed(reasonFor(error));
    }
  }
}

const mayActAsMap = 'The words of a source map’s URL suggest an action.';
const tooManyMaps = 'The scripts and style sheets name more source maps than the scan reads.';
const tooMany = 'A source map has more files or values than the scan reads.';
const tooLong = 'A source map is larger than the scan reads.';
const tooMuch = 'The source maps of the site carry more text than the scan reads.';
