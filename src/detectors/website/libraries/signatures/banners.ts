import { at, inQuotes, listed, type Signature, version } from './signature.ts';

/** The start of a comment that build tools keep, or of a line in it. */
const comment = String.raw`(?:[\n*!]|\/\/|@license|@preserve)[ \t]{0,8}`;

/** Comments that start with a name and a version. */
const banners: Readonly<Record<string, readonly string[]>> = {
  alasql: ['AlaSQL v'],
  'angular-core': ['@license Angular v'],
  angularjs: ['AngularJS v'],
  axios: ['axios v', 'Axios v'],
  backbone: ['Backbone.js '],
  'bootstrap-select': ['Bootstrap-select v'],
  chartjs: ['Chart.js v', 'Chart.js '],
  datatables: ['DataTables '],
  dompurify: ['DOMPurify ', '@license DOMPurify '],
  extjs: ['Ext JS Library '],
  froala: ['froala_editor v'],
  handlebars: ['handlebars v'],
  highcharts: ['Highcharts JS v'],
  highlightjs: ['Highlight.js v', 'Highlight.js '],
  jplayer: ['jPlayer '],
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
  'markdown-it': ['markdown-it '],
  marked: ['marked v', 'marked - a markdown parser v'],
  protobufjs: ['protobuf.js v'],
  plotly: ['plotly.js v', 'plotly.js (minified) v'],
  quill: ['Quill Editor v', 'Quill v'],
  select2: ['Select2 '],
  sessvars: ['sessvars ver '],
  swfobject: ['SWFObject v'],
  swiper: ['Swiper '],
  tableexport: ['TableExport.js v'],
  trix: ['Trix '],
  'ua-parser-js': ['UAParser.js v'],
  underscore: ['Underscore.js '],
  videojs: ['Video.js '],
  vue: ['Vue.js v'],
};

/** The name and the version are in different lines of a comment. */
const between = String.raw`[^\n]{0,120}\r?\n`;

export const bannerSignatures: readonly Signature[] = [
  ...listed(banners, version, comment),
  // Packages with one function each, such as lodash.isnumber, have versions of their own.
  ...listed(
    { lodash: ['lodash ', 'Lodash '] },
    String.raw`${version}(?!.{0,60}\s{1,9}\*? ?Build: \x60lodash modularize)`,
    comment,
  ),
  at('jquery', 'jQuery v', version, String.raw`\/\*!? `),
  // Its style sheets start the same way, but within a script they are quoted text without real line breaks.
  at('bootstrap', 'Bootstrap v', String.raw`${version} \(https?://getbootstrap\.com/?\)\r?\n`, comment),
  at('blueimp-file-upload', 'jQuery File Upload ', `(?:User Interface )?Plugin ${version}`, comment),
  at(
    'chartjs',
    'Chart.js',
    String.raw`\r?\n \* http:\/\/(?:www\.)?chartjs\.org\/\r?\n \* Version: ${version}`,
    comment,
  ),
  at('dwr', 'dwr-', String.raw`${version}\.jar`, String.raw`\/\/[^\n]{0,80} `),
  at(
    'easyxdm',
    'easyXDM',
    String.raw`\r?\n \* http:\/\/easyxdm\.net\/.{0,2000}?version:${inQuotes}`,
    comment,
  ),
  at('jplayer', 'jPlayer Plugin for jQuery', `[^@]{0,400}?Version: ${version}`, comment),
  at(
    'jquery-terminal',
    'This file is part of jQuery Terminal.',
    '',
    String.raw`version ${version}\s{1,9}\*\s{1,9}\*\s`,
  ),
  at('moment', 'moment.js', String.raw`\r?\n\/\/! version : ${version}`, comment),
  at('pendo', 'Pendo Agent Wrapper', String.raw`\r?\n\/\/${between}\/\/ Agent Version: +${version}`, comment),
  at(
    'plupload',
    'Plupload - multi-runtime File Uploader',
    String.raw`(?:\r?\n){1,3} \* v${version}`,
    comment,
  ),
  // Other libraries credit it in comments.
  at('prototype', 'Prototype JavaScript framework, version ', version, String.raw`\/\*!?[ \t]{0,8}`),
  // Since React 16 with the name of the file in the next line, before without.
  at('react', 'React v', String.raw`${version}\s{1,8}\* react(?:-jsx-runtime)?\.`, comment),
  at('react', 'React v', String.raw`${version}\r?\n \*(?:\/|\r?\n)`, comment),
  at('react', 'React (with addons) v', version, comment),
  at('react-dom', 'React v', String.raw`${version}\s{1,8}\* react-dom[.-]`, comment),
  at('tableexport', 'tableExport.jquery.plugin', String.raw`\s{1,9}Version ${version}`),
  at('vue', 'vue v', String.raw`${version}\r?\n`, comment),
  at('yui', 'YUI ', String.raw`${version} \(build `),
];
