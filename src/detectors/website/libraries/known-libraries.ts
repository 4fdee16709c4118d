/** A library that scans recognize. It has the same key as its advisories. */
export interface KnownLibrary {
  readonly name: string;
  /** Names in URLs and of files, in lowercase, as on npm, cdnjs and the project's site. */
  readonly files: readonly string[];
  /** The first release line that is still maintained; null if none is. */
  readonly maintainedFrom?: string | null;
}

/**
 * End-of-life dates as declared by the projects: jQuery (blog.jquery.com, support of 3.x and later),
 * AngularJS (December 2021), jQuery Mobile (October 2021), Bootstrap 4 (January 2023), Vue 2 (December 2023),
 * CKEditor 4 (June 2023), TinyMCE 5 (April 2023), YUI (2014), Prototype (2015).
 */
export const knownLibraries: Readonly<Record<string, KnownLibrary>> = {
  alasql: { name: 'AlaSQL', files: ['alasql'] },
  'angular-core': { name: 'Angular', files: ['@angular/core'] },
  angularjs: { name: 'AngularJS', files: ['angular', 'angularjs', 'angular.js'], maintainedFrom: null },
  axios: { name: 'axios', files: ['axios'] },
  backbone: { name: 'Backbone.js', files: ['backbone', 'backbone.js'] },
  'blueimp-file-upload': {
    name: 'jQuery File Upload',
    files: ['blueimp-file-upload', 'jquery.fileupload', 'jquery.fileupload-ui'],
  },
  bootstrap: { name: 'Bootstrap', files: ['bootstrap', 'twitter-bootstrap'], maintainedFrom: '5.0.0' },
  'bootstrap-select': { name: 'bootstrap-select', files: ['bootstrap-select'] },
  c3: { name: 'C3', files: ['c3'] },
  chartjs: { name: 'Chart.js', files: ['chart.js'] },
  ckeditor: { name: 'CKEditor 4', files: ['ckeditor', 'ckeditor4'], maintainedFrom: null },
  ckeditor5: {
    name: 'CKEditor 5',
    files: [
      'ckeditor5',
      '@ckeditor/ckeditor5-build-balloon',
      '@ckeditor/ckeditor5-build-classic',
      '@ckeditor/ckeditor5-build-decoupled-document',
      '@ckeditor/ckeditor5-build-inline',
      '@ckeditor/ckeditor5-build-multi-root',
    ],
  },
  codemirror: { name: 'CodeMirror', files: ['codemirror'] },
  'crypto-js': { name: 'CryptoJS', files: ['crypto-js'] },
  'd3-color': { name: 'd3-color', files: ['d3-color'] },
  datatables: { name: 'DataTables', files: ['datatables', 'datatables.net', 'jquery.datatables'] },
  dojo: { name: 'Dojo', files: ['dojo'] },
  dompurify: { name: 'DOMPurify', files: ['dompurify', 'purify'] },
  dwr: { name: 'DWR', files: ['dwr'] },
  easyxdm: { name: 'easyXDM', files: ['easyxdm'] },
  echarts: { name: 'Apache ECharts', files: ['echarts'] },
  ember: { name: 'Ember.js', files: ['ember', 'ember.js', 'ember-source'] },
  extjs: { name: 'Ext JS', files: ['ext-all', 'ext-all-debug', 'extjs'] },
  flowplayer: { name: 'Flowplayer', files: ['flowplayer'] },
  froala: { name: 'Froala Editor', files: ['froala-editor', 'froala_editor'] },
  gsap: { name: 'GSAP', files: ['gsap'] },
  handlebars: { name: 'Handlebars', files: ['handlebars', 'handlebars.js'] },
  highcharts: { name: 'Highcharts', files: ['highcharts'] },
  highlightjs: { name: 'highlight.js', files: ['highlight.js', 'highlightjs', '@highlightjs/cdn-assets'] },
  jplayer: { name: 'jPlayer', files: ['jplayer', 'jquery.jplayer'] },
  jquery: { name: 'jQuery', files: ['jquery'], maintainedFrom: '3.0.0' },
  'jquery-deparam': { name: 'jquery-deparam', files: ['jquery-deparam'] },
  'jquery-migrate': { name: 'jQuery Migrate', files: ['jquery-migrate'] },
  'jquery-mobile': {
    name: 'jQuery Mobile',
    files: ['jquery-mobile', 'jquery.mobile'],
    maintainedFrom: null,
  },
  'jquery-terminal': { name: 'jQuery Terminal', files: ['jquery.terminal'] },
  'jquery-ui': { name: 'jQuery UI', files: ['jquery-ui', 'jqueryui', 'jquery-ui-dist'] },
  'jquery-validation': {
    name: 'jQuery Validation',
    files: ['jquery-validation', 'jquery-validate', 'jquery.validate'],
  },
  jspdf: { name: 'jsPDF', files: ['jspdf'] },
  jszip: { name: 'JSZip', files: ['jszip'] },
  katex: { name: 'KaTeX', files: ['katex'] },
  knockout: { name: 'Knockout', files: ['knockout'] },
  lodash: { name: 'Lodash', files: ['lodash', 'lodash.js', 'lodash-es'] },
  luxon: { name: 'Luxon', files: ['luxon'] },
  'markdown-it': { name: 'markdown-it', files: ['markdown-it'] },
  marked: { name: 'Marked', files: ['marked'] },
  mathjax: { name: 'MathJax', files: ['mathjax'] },
  mermaid: { name: 'Mermaid', files: ['mermaid'] },
  moment: { name: 'Moment.js', files: ['moment', 'moment.js'] },
  mootools: { name: 'MooTools', files: ['mootools', 'mootools-core'] },
  mustache: { name: 'mustache.js', files: ['mustache', 'mustache.js'] },
  next: { name: 'Next.js', files: [] },
  pdfjs: { name: 'PDF.js', files: ['pdfjs-dist', 'pdf.js'] },
  pendo: { name: 'Pendo', files: [] },
  plotly: { name: 'Plotly.js', files: ['plotly.js', 'plotly', 'plotly.js-dist', 'plotly.js-dist-min'] },
  plupload: { name: 'Plupload', files: ['plupload'] },
  prettyphoto: { name: 'prettyPhoto', files: ['jquery.prettyphoto', 'prettyphoto'] },
  prismjs: { name: 'Prism', files: ['prismjs', 'prism'] },
  protobufjs: { name: 'protobuf.js', files: ['protobufjs', 'protobuf'] },
  prototype: { name: 'Prototype', files: ['prototype'], maintainedFrom: null },
  quill: { name: 'Quill', files: ['quill'] },
  react: { name: 'React', files: ['react'] },
  'react-dom': { name: 'React DOM', files: ['react-dom'] },
  requirejs: { name: 'RequireJS', files: ['requirejs', 'require.js'] },
  select2: { name: 'Select2', files: ['select2'] },
  sessvars: { name: 'sessvars', files: ['sessvars'] },
  svelte: { name: 'Svelte', files: ['svelte'] },
  'swagger-ui': { name: 'Swagger UI', files: ['swagger-ui', 'swagger-ui-dist'] },
  swfobject: { name: 'SWFObject', files: ['swfobject'] },
  swiper: { name: 'Swiper', files: ['swiper'] },
  tableexport: { name: 'tableExport.jquery.plugin', files: ['tableexport.jquery.plugin', 'tableexport'] },
  three: { name: 'three.js', files: ['three', 'three.js'] },
  tinymce: { name: 'TinyMCE', files: ['tinymce'], maintainedFrom: '6.0.0' },
  trix: { name: 'Trix', files: ['trix'] },
  'ua-parser-js': { name: 'UAParser.js', files: ['ua-parser-js', 'ua-parser'] },
  underscore: { name: 'Underscore.js', files: ['underscore', 'underscore.js'] },
  videojs: { name: 'Video.js', files: ['video.js'] },
  vue: { name: 'Vue', files: ['vue'], maintainedFrom: '3.0.0' },
  vuetify: { name: 'Vuetify', files: ['vuetify'] },
  xlsx: { name: 'SheetJS', files: ['xlsx'] },
  yui: { name: 'YUI', files: ['yui'], maintainedFrom: null },
  zrender: { name: 'ZRender', files: ['zrender'] },
};

const libraryOf = new Map(
  Object.entries(knownLibraries).flatMap(([library, { files }]) => files.map(file => [file, library])),
);

/** The key of a library by its name in URLs, in lowercase. */
export const libraryOfFile = (name: string): string | undefined => libraryOf.get(name);

/** The key of a library by the key itself, the name of its package, or its name in URLs, in lowercase. */
export const libraryNamed = (name: string): string | undefined =>
  libraryOf.get(name) ?? (Object.hasOwn(knownLibraries, name) ? name : undefined);
