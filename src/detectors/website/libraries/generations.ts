import type { NamedLibrary } from './find-in-url.ts';

/**
 * A range of versions of a library whose code does not contain its version, by code that only they have, or that
 * only later versions have. Each was proven with builds on both sides of its ends (bench/accuracy/libraries).
 */
export interface Generation {
  readonly library: string;
  /** The first and the last version that it may be. */
  readonly oldest: string;
  readonly newest: string;
  /** A literal text of the library, without quotes: minifiers change these. */
  readonly anchor: string;
  /** Further texts of the library, or of the range. */
  readonly has: readonly (string | RegExp)[];
  /** Texts of later versions. */
  readonly lacks: readonly (string | RegExp)[];
}

/** Versions that later releases state too: by library, the stated version and the last release that states it. */
const statedUntil: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  datatables: { '1.11.1': '1.11.2' },
  handlebars: { '1.0.0': '1.0.12', '3.0.1': '3.0.8' },
  jszip: { '3.2.0': '3.2.1', '3.5.0': '3.7.0' },
  plupload: { '2.3.1': '2.3.2', '2.3.6': '2.3.9' },
};

/** A stated version, or the range of the releases that state it. */
export function withRestated({ library, version }: NamedLibrary): NamedLibrary {
  const newest = statedUntil[library]?.[version];
  return newest === undefined ? { library, version } : { library, version: newest, oldest: version };
}

const quote = '["\'`]';
/** The list of keys that Swiper's `extend` skips, and its loop: an incomplete protection. */
const swiperKeys = new RegExp(
  `\\[${quote}__proto__${quote},${quote}constructor${quote},${quote}prototype${quote}\\][,;](?:for\\((?:let |var )?)?[\\w$]{1,30}=1;[\\w$]{1,30}<`,
);
/** The same keys, also as Swiper compares them since 12.1.2. */
const skippedKeys = new RegExp(
  `__proto__${quote}(?:,${quote}constructor|\\s?[!=]==?)|[!=]==?\\s?${quote}__proto__`,
);
/** The pattern of Kotlin's functions that took quadratic time, and its types in the first release with it. */
const kotlinFunction = String.raw`fun\s+(<.*>)?[^\s\(]+(\s+[^\s\(]+)\s*=`;
const typesOfKotlin = new RegExp(`typename:${quote}Byte Short`);
/** The keys that Chart.js does not copy since 2.9.4. */
const guardedKeys = new RegExp(`__proto__${quote},${quote}prototype${quote},${quote}constructor`);

export const generations: readonly Generation[] = [
  {
    library: 'axios',
    oldest: '0.8.1',
    newest: '0.21.1',
    anchor: 'Request failed with status code ',
    has: ['X-XSRF-TOKEN', 'validateStatus', 'transformRequest', 'isStandardBrowserEnv'],
    lacks: ['assertOptions'],
  },
  {
    library: 'chartjs',
    oldest: '1.0.1',
    newest: '1.1.1',
    anchor: 'multiTooltipTemplate',
    has: ['scaleShowGridLines', 'scaleStepWidth'],
    lacks: [],
  },
  {
    library: 'chartjs',
    oldest: '2.0.0',
    newest: '2.9.3',
    anchor: 'zeroLineColor',
    has: ['drawOnChartArea', 'labelString', 'hitRadius'],
    lacks: ['getChart', guardedKeys],
  },
  {
    library: 'crypto-js',
    oldest: '3.1.2',
    newest: '4.1.1',
    anchor: 'EvpKDF',
    // The default of one round, which 4.2.0 raised. Without this part of the library, nothing is vulnerable.
    has: [/\.PBKDF2\s?=/, /iterations:\s?1[,}\s]/],
    lacks: [/iterations:\s?25(?:e4|0000)/],
  },
  {
    library: 'd3-color',
    oldest: '1.0.0',
    newest: '3.0.1',
    anchor: String.raw`([+-]?\\d*\\.?\\d+(?:[eE][+-]?\\d+)?)\\s*`,
    has: [String.raw`^hsla\\(`],
    lacks: [],
  },
  {
    library: 'highlightjs',
    oldest: '8.9.0',
    newest: '8.9.1',
    anchor: kotlinFunction,
    has: ['relevance', typesOfKotlin],
    lacks: [],
  },
  {
    library: 'highlightjs',
    oldest: '9.0.0',
    newest: '10.4.0',
    anchor: kotlinFunction,
    has: ['relevance'],
    lacks: [typesOfKotlin],
  },
  {
    library: 'jquery-migrate',
    oldest: '1.0.0',
    newest: '1.2.1',
    anchor: 'JQMIGRATE: ',
    has: ['migrateWarnings'],
    lacks: ['migrateVersion'],
  },
  {
    library: 'jquery-validation',
    oldest: '1.14.0',
    newest: '1.19.5',
    anchor: 'Please fix this field.',
    has: ['pendingRequest', 'stopRequest', 'rangelength'],
    lacks: ['elementAjaxPort'],
  },
  {
    library: 'jszip',
    oldest: '0.1.0',
    newest: '3.7.1',
    anchor: 'End of data reached (data length = ',
    has: ['crc32'],
    lacks: ['unsafeOriginalName'],
  },
  {
    library: 'markdown-it',
    oldest: '5.0.0',
    newest: '14.1.1',
    anchor: 'Input data should be a String',
    has: ['linkify', 'smartquotes', 'typographer'],
    lacks: ['isPunctCharCode'],
  },
  {
    library: 'marked',
    oldest: '0.3.9',
    newest: '4.0.9',
    anchor: 'Infinite loop on byte: ',
    has: ['smartypants'],
    // The message of @ts-stack/markdown goes on.
    lacks: [String.raw`\[(label)\]\[(ref)\]`, ', near text '],
  },
  {
    library: 'prismjs',
    oldest: '1.11.0',
    newest: '1.29.0',
    anchor: 'disableWorkerMessageHandler',
    has: [
      new RegExp(
        `${quote}currentScript${quote}\\s?in document|=\\s?document\\.currentScript\\s?\\|\\|\\s?\\[\\]\\.slice`,
      ),
    ],
    lacks: [],
  },
  {
    library: 'protobufjs',
    oldest: '6.8.0',
    newest: '7.5.4',
    anchor: 'types[%i].decode(r,r.uint32())',
    has: ['m%s=types[%i].fromObject(d%s)'],
    lacks: [],
  },
  {
    library: 'select2',
    oldest: '3.4.0',
    newest: '3.5.4',
    anchor: 'select2-drop-mask',
    has: ['select2-choices', 'select2-search-choice'],
    lacks: ['select2-selection__clear'],
  },
  {
    library: 'select2',
    oldest: '4.0.0',
    newest: '4.0.5',
    anchor: 'select2-selection__clear',
    has: [/<span class=\\?"select2-selection__clear\\?">&times;<\/span>/],
    lacks: ['removeAllItems', 'GetUniqueElementId'],
  },
  {
    library: 'svelte',
    oldest: '4.0.0',
    newest: '4.2.20',
    anchor: '__svelte',
    has: [new RegExp(`\\.add\\(${quote}4${quote}\\)`)],
    lacks: [],
  },
  {
    library: 'svelte',
    oldest: '5.0.0',
    newest: '5.55.6',
    anchor: '__svelte',
    has: ['__attributes', '__className', new RegExp(`\\.add\\(${quote}5${quote}\\)`)],
    lacks: [],
  },
  {
    library: 'swiper',
    oldest: '4.0.0',
    newest: '6.5.0',
    anchor: 'touchEventsTarget',
    has: ['slidesPerGroup', 'slidesOffsetBefore', 'watchOverflow'],
    lacks: [skippedKeys],
  },
  {
    library: 'swiper',
    oldest: '6.5.1',
    newest: '12.1.1',
    anchor: 'touchEventsTarget',
    has: ['slidesPerGroupSkip', swiperKeys],
    lacks: [],
  },
];

/**
 * The ranges of a script's libraries, each library once, except those whose version is known.
 * @param anchors the generations' anchors that the text contains
 */
export function generationsIn(
  text: string,
  anchors: Pick<ReadonlySet<string>, 'has'>,
  known: ReadonlySet<string>,
): readonly NamedLibrary[] {
  const found = generations.filter(
    ({ library, anchor, has, lacks }) =>
      anchors.has(anchor) &&
      !known.has(library) &&
      has.every(mark => contains(text, mark)) &&
      !lacks.some(mark => contains(text, mark)),
  );
  // Two copies of different generations: neither range is certain.
  const count = (name: string) => found.filter(({ library }) => library === name).length;
  return found
    .filter(({ library }) => count(library) === 1)
    .map(({ library, oldest, newest }) => ({ library, version: newest, oldest }));
}

const contains = (text: string, mark: string | RegExp) =>
  typeof mark === 'string' ? text.includes(mark) : mark.test(text);
