/** A pattern that recognizes a library in a script's text. */
export interface Signature {
  readonly library: string;
  /** Literal text from which the pattern is tried. */
  readonly anchor: string;
  /**
   * Sticky, from the anchor on, with bounded quantifiers, also in lookbehinds. Group `version` is the
   * version, groups `major` and `minor` are its parts, or group `variable` is the name of the variable that
   * contains it.
   */
  readonly pattern: RegExp;
}

/** A plain release. With more text after it, it is a custom build. */
const version = String.raw`v?(?<version>\d{1,4}(?:\.\d{1,5}){1,3}(?:-?(?:alpha|beta|rc|b|pre|next|canary)[.-]?\d{0,4}(?:\.\d{1,4})?)?)(?![\w+-]|\.\d)`;
const inQuotes = `["']${version}["']`;
/** In quotes, or in a variable that is followed by this. */
const inQuotesOrVariable = (next: string) => String.raw`(?:"${version}[" ]|(?<variable>[\w$]{1,3})${next})`;
/** The start of a comment that build tools keep, or of a line in it. */
const comment = String.raw`(?<=(?:[\n*!]|\/\/|@license|@preserve)[ \t]{0,8})`;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A signature that starts with the anchor. */
function at(library: string, anchor: string, rest: string, before = ''): Signature {
  return { library, anchor, pattern: new RegExp(before + escaped(anchor) + rest, 'y') };
}

/** Comments that start with a name and a version. */
const banners: Readonly<Record<string, readonly string[]>> = {
  alasql: ['AlaSQL v'],
  angularjs: ['AngularJS v'],
  axios: ['axios v', 'Axios v'],
  backbone: ['Backbone.js '],
  'bootstrap-select': ['Bootstrap-select v'],
  chartjs: ['Chart.js v'],
  datatables: ['DataTables '],
  dompurify: ['DOMPurify '],
  extjs: ['Ext JS Library '],
  froala: ['froala_editor v'],
  handlebars: ['handlebars v'],
  highcharts: ['Highcharts JS v'],
  jquery: ['jQuery JavaScript Library v'],
  'jquery-migrate': ['jQuery Migrate - v', 'jQuery Migrate v'],
  'jquery-mobile': ['jQuery Mobile '],
  'jquery-ui': ['jQuery UI - v', 'jQuery UI '],
  'jquery-validation': [
    'jQuery Validation Plugin - v',
    'jQuery Validation Plugin v',
    'jQuery Validation Plugin ',
  ],
  jszip: ['JSZip v'],
  knockout: ['Knockout JavaScript library v'],
  lodash: ['lodash '],
  'markdown-it': ['markdown-it '],
  select2: ['Select2 '],
  'ua-parser-js': ['UAParser.js v'],
  underscore: ['Underscore.js '],
  vue: ['Vue.js v'],
};

/** Code that is followed by the version in quotes. */
const assignments: Readonly<Record<string, readonly string[]>> = {
  ckeditor5: ['CKEDITOR_VERSION='],
  dompurify: ['DOMPurify.version = '],
  ember: ['Ember.VERSION=', 'Ember.VERSION = '],
  handlebars: ['Handlebars.VERSION = '],
  highcharts: ['product:"Highcharts",version:'],
  'jquery-migrate': ['.migrateVersion=', '.migrateVersion = '],
  'jquery-ui': ['.ui.version=', '.ui.version = '],
  mathjax: ['MathJax.version=', 'MathJax.version = ', '.MathJax={version:'],
  mustache: ['mustache.js",version:'],
  pdfjs: ['pdfjsVersion = '],
  prettyphoto: ['prettyPhoto={version:', 'prettyPhoto = {version: '],
  prototype: ['Prototype={Version:'],
  vue: ['Vue.version = '],
};

const listed = (lists: typeof banners, rest: string, before?: string) =>
  Object.entries(lists).flatMap(([library, anchors]) =>
    anchors.map(anchor => at(library, anchor, rest, before)),
  );

export const signatures: readonly Signature[] = [
  ...listed(banners, version, comment),
  ...listed(assignments, inQuotes),
  at('jquery', 'jQuery v', version, String.raw`(?<=\/\*!? )`),
  at('jquery', '.prototype={jquery:', inQuotesOrVariable(',')),
  // Its style sheets start the same way, but within a script they are quoted text without real line breaks.
  at('bootstrap', 'Bootstrap v', String.raw`${version} \(https?://getbootstrap\.com/?\)\r?\n`, comment),
  at('bootstrap', 'this.close)};', String.raw`[\w$]{1,3}\.VERSION=${inQuotes}`),
  at('angularjs', '{full:', String.raw`${inQuotes},major:\d{1,2},minor:\d{1,2},dot:\d{1,3},codeName:`),
  at('ckeditor', 'timestamp:"', `[^"]{1,20}",version:"${version}[ "]`, '(?<=CKEDITOR.{1,120})'),
  at('dompurify', '.removed=[]', '', String.raw`(?<=\.version=${inQuotes},[\w$]{1,3})`),
  at('handlebars', '.COMPILER_REVISION=', '', `(?<==${inQuotes}[^"']{0,60})`),
  at('handlebars', 'COMPILER_REVISION = ', '', `(?<== ${inQuotes}[^"']{0,80})`),
  at('highcharts', 'product="Highcharts"', String.raw`[,;][\w$]{1,3}\.version=${inQuotes}`),
  at('lodash', '"__lodash_hash_undefined__"', '', String.raw`(?<=${inQuotes},[\w$]{1,3}=200,.{1,250})`),
  at(
    'lodash',
    'var VERSION = ',
    String.raw`${inQuotes};\s{1,6}\/\*\* Used as the size to enable large array`,
  ),
  at('lodash', '.VERSION=', String.raw`${inQuotes},[\w$]{1,3}\(\[?"bind[" ]`),
  at('moment', 'moment.js', String.raw`\r?\n\/\/! version : ${version}`, comment),
  at('moment', '.version=', String.raw`${inQuotes},[^;]{1,900}?\.isMoment=`),
  at('mustache', 'name="mustache.js"', String.raw`[,;][\w$]{1,9}\.version=${inQuotes}`),
  at('next', 'next={version:', inQuotesOrVariable(',appDir:')),
  at('pdfjs', 'apiVersion:', inQuotes, '(?<="GetDocRequest",.{1,60})'),
  at('prototype', 'Prototype JavaScript framework, version ', version),
  at('react-dom', 'React v', String.raw`${version}\s{1,8}\* react-dom[.-]`, comment),
  at('react-dom', 'rendererPackageName:"react-dom"', '', String.raw`(?<=version:${inQuotes},\s{0,20})`),
  at(
    'tinymce',
    'majorVersion:"',
    String.raw`(?<major>\d{1,2})",minorVersion:"(?<minor>\d{1,3}(?:\.\d{1,3})?)",releaseDate:`,
  ),
  at('vue', 'vue v', String.raw`${version}\r?\n`, comment),
  at('yui', 'YUI ', String.raw`${version} \(build `),
];
