import { goodTls } from '../../../test/support/hardened-site.ts';
import { httpsServer } from '../../../test/support/website.ts';
import type { AccuracyCase, Family } from '../case.ts';
import { withEsbuild } from '../libraries/bundlers.ts';
import { applicationOf } from '../libraries/packages.ts';
import { retire } from '../specialists/retire.ts';
import { type Answers, document, handler, websiteCase } from '../website-case.ts';

/** Packages with known vulnerabilities, and the line of the finding. */
const vulnerable: Readonly<Record<string, string>> = {
  'jquery@1.8.3': 'jquery@1',
  'jquery@2.2.4': 'jquery@2',
  'jquery@3.3.1': 'jquery@3',
  'jquery@3.4.1': 'jquery@3',
  'jquery-migrate@1.2.1': 'jquery-migrate@1',
  'jquery-ui-dist@1.12.1': 'jquery-ui@1',
  'jquery-validation@1.19.2': 'jquery-validation@1',
  'jquery.terminal@2.1.0': 'jquery-terminal@2',
  'datatables.net@1.10.19': 'datatables@1',
  'select2@4.0.4': 'select2@4',
  'bootstrap@3.3.7': 'bootstrap@3',
  'bootstrap@4.1.3': 'bootstrap@4',
  'bootstrap-select@1.13.3': 'bootstrap-select@1',
  'angular@1.5.8': 'angularjs@1',
  'angular@1.8.2': 'angularjs@1',
  '@angular/core@12.2.0': 'angular-core@12',
  '@angular/core@17.1.0': 'angular-core@17',
  'react-dom@16.4.1': 'react-dom@16',
  'vue@2.6.11': 'vue@2',
  'vue@2.7.14': 'vue@2',
  'knockout@3.4.2': 'knockout@3',
  'handlebars@4.0.11': 'handlebars@4',
  'handlebars@4.7.6': 'handlebars@4',
  'mustache@2.0.0': 'mustache@2',
  'underscore@1.8.3': 'underscore@1',
  'underscore@1.12.0': 'underscore@1',
  'lodash@3.10.1': 'lodash@3',
  'lodash@4.17.15': 'lodash@4',
  'lodash@4.17.20': 'lodash@4',
  'lodash-es@4.17.15': 'lodash@4',
  'moment@2.18.1': 'moment@2',
  'moment@2.29.3': 'moment@2',
  'axios@0.19.2': 'axios@0',
  'axios@0.27.2': 'axios@0',
  'axios@1.6.2': 'axios@1',
  'dompurify@2.2.6': 'dompurify@2',
  'dompurify@3.0.6': 'dompurify@3',
  'marked@0.8.0': 'marked@4',
  'marked@4.0.5': 'marked@4',
  'markdown-it@12.3.1': 'markdown-it@14',
  'highlight.js@9.15.8': 'highlightjs@10',
  'chart.js@2.9.3': 'chartjs@2',
  'echarts@5.4.3': 'echarts@5',
  'highcharts@8.0.0': 'highcharts@8',
  'three@0.120.0': 'three@0',
  'video.js@7.10.2': 'videojs@7',
  'swiper@9.4.0': 'swiper@12',
  'quill@1.3.6': 'quill@1',
  'tinymce@5.10.2': 'tinymce@5',
  'ckeditor4@4.16.1': 'ckeditor@4',
  'trix@2.1.0': 'trix@2',
  'katex@0.16.4': 'katex@0',
  'jszip@3.6.0': 'jszip@3',
  'xlsx@0.18.5': 'xlsx@0',
  'pdfjs-dist@2.16.105': 'pdfjs@2',
  'ua-parser-js@0.7.20': 'ua-parser-js@0',
  'protobufjs@7.2.3': 'protobufjs@7',
  'codemirror@5.57.0': 'codemirror@5',
  'crypto-js@4.1.1': 'crypto-js@4',
  'd3-color@2.0.0': 'd3-color@3',
  'gsap@3.5.1': 'gsap@3',
  'highlight.js@10.1.1': 'highlightjs@10',
  'jspdf@2.5.1': 'jspdf@2',
  'luxon@3.2.0': 'luxon@3',
  'mermaid@8.11.0': 'mermaid@8',
  'prismjs@1.29.0': 'prismjs@1',
  'requirejs@2.3.6': 'requirejs@2',
  // It contains DOMPurify 2.3.3.
  'swagger-ui-dist@4.1.2': 'swagger-ui@4 dompurify@2',
  'swiper@6.4.15': 'swiper@6',
  'vuetify@2.6.9': 'vuetify@2',
};

/** Packages without known vulnerabilities. */
const good = [
  'jquery@3.7.1',
  'jquery@4.0.0',
  'jquery-migrate@3.5.2',
  'jquery-ui-dist@1.13.3',
  'jquery-validation@1.21.0',
  'datatables.net@2.1.8',
  'select2@4.0.13',
  'bootstrap@5.3.3',
  'react@18.3.1',
  'react-dom@18.3.1',
  'react-dom@19.1.0',
  'vue@3.5.13',
  'knockout@3.5.1',
  'mustache@4.2.0',
  'lodash@4.18.1',
  'moment@2.30.1',
  'marked@15.0.6',
  'chart.js@4.4.7',
  'highcharts@12.2.0',
  'highlight.js@11.11.1',
  'three@0.170.0',
  'video.js@8.21.0',
  'katex@0.16.22',
  'jszip@3.10.1',
  'codemirror@5.65.18',
  'crypto-js@4.2.0',
  'd3-color@3.1.0',
  'gsap@3.12.5',
  'prismjs@1.30.0',
  'requirejs@2.3.7',
  'luxon@3.5.0',
  'dayjs@1.11.13',
  'd3@7.9.0',
  'leaflet@1.9.4',
  'htmx.org@2.0.4',
  'alpinejs@3.14.8',
];

const texts = new Map<string, string>();

/** A package, minified and without comments. */
async function built(specifier: string): Promise<string> {
  const at = specifier.lastIndexOf('@');
  const text = await withEsbuild(await applicationOf(specifier.slice(0, at), specifier.slice(at + 1)));
  texts.set(specifier, text);
  return text;
}

/** A site whose script contains a package. Packages are read from npm once. */
function bundleCase(specifier: string, flaws: readonly string[]): AccuracyCase {
  const site = websiteCase({
    name: `bundle with ${specifier}`,
    flaws,
    also: ['libraries.end_of_life'],
    start: async () =>
      httpsServer(
        goodTls,
        handler({
          '/': document('<script src="/assets/index-4f9a21c7.js"></script>', '<h1>Portal</h1>'),
          '/assets/index-4f9a21c7.js': await built(specifier),
        }),
      ),
  });
  return {
    ...site,
    /** Known once the case was scanned. */
    get material() {
      return texts.get(specifier) ?? '';
    },
  };
}

const line = (name: string) => `libraries.vulnerable ${name}`;

/** A page whose markup names libraries. */
const pageCase = (name: string, head: string, flaws: readonly string[], scripts: Answers = {}) =>
  websiteCase({
    name,
    answers: { '/': document(head, '<h1>Portal</h1>'), ...scripts },
    flaws,
    also: ['libraries.end_of_life', 'page.script_without_integrity', 'csp.blocks_own_resources'],
  });

export const librariesFamily: Family = {
  name: 'libraries',
  specialists: [retire],
  cases: [
    ...Object.entries(vulnerable).map(([specifier, name]) =>
      bundleCase(specifier, name.split(' ').map(line)),
    ),
    ...good.map(specifier => bundleCase(specifier, [])),
    pageCase(
      'import map of a CDN',
      '<script type="importmap">{"imports":{"jquery":"/vendor/jquery@3.4.1/dist/jquery.js"}}</script>',
      [line('jquery@3')],
    ),
    pageCase('names of files', '<script src="/js/jquery-3.4.1.min.js"></script>', [line('jquery@3')], {
      '/js/jquery-3.4.1.min.js': '!function(e,t){"use strict";t(e)}(window,function(e){})',
    }),
    pageCase('a file that does not exist', '<script src="/js/jquery-3.4.1.min.js"></script>', []),
    pageCase('prerendered Angular', '<app-root ng-version="15.2.0"></app-root>', [line('angular-core@15')]),
    pageCase(
      'text about libraries',
      '<script>const help="Requires jQuery v1.7.1, lodash 4.17.4 and Bootstrap v3.3.7.";console.log(help)</script>',
      [],
    ),
    pageCase(
      'a list of dependencies in a script',
      '<script>window.about={"name":"portal","version":"1.4.2","dependencies":{"jquery":"3.4.1","lodash":"4.17.4","axios":"0.19.2"}}</script>',
      [],
    ),
  ],
};
