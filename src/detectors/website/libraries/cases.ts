import type { HttpResponse, PageScript, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, notSeen, pageWith, response, seen } from '../hardened-capture.ts';

const origin = 'https://portal.example.com';
const script = (path: string, body: string, changes: Partial<HttpResponse> = {}): PageScript => ({
  url: origin + path,
  response: seen(response(origin + path, { body, ...changes })),
});
const withScripts = (...scripts: PageScript[]) => captureWith({ scripts: seen(scripts) });
const page = (markup: string) => pageWith({ body: `<!doctype html><html><head>${markup}</head></html>` });
const loading = (...urls: string[]) => page(urls.map(url => `<script src="${url}"></script>`).join(''));
const vulnerable = (line: string) => ({ check: 'libraries.vulnerable', locator: `${origin} ${line}` });
const endOfLife = (line: string) => ({ check: 'libraries.end_of_life', locator: `${origin} ${line}` });
const both = ['libraries.vulnerable', 'libraries.end_of_life'];
const all = [...both, 'libraries.database_outdated'];

const jquery = (version: string) =>
  `/*! jQuery v${version} | (c) JS Foundation */\n!function(e,t){}(window);`;

/** Libraries without known vulnerabilities, and text and URLs that only resemble libraries. */
const harmless: readonly (readonly [name: string, capture: WebsiteCapture])[] = [
  ['a current jQuery', withScripts(script('/jquery.js', jquery('3.7.1')))],
  [
    'a file that does not exist',
    { ...loading('/jquery-1.7.2.min.js'), scripts: seen([script('/jquery-1.7.2.min.js', '')]) },
  ],
  [
    'packages with one function, and forks',
    withScripts(
      script(
        '/a.js',
        '/**\n * lodash 3.0.3 (Custom Build) <https://lodash.com/>\n * Build: `lodash modularize exports="npm" -o ./`\n */',
      ),
      script('/d.js', '// adapted from Prototype\n// Prototype JavaScript framework, version 1.6.0.1.\n'),
      script('/b.js', '{majorVersion:"1",minorVersion:"0.12",releaseDate:"2026-06-29",i18n:a}'),
      script('/c.js', 'L.extend(L.jqplot.effects,{version:"1.9pre",save:function(a,b){}})'),
    ),
  ],
  [
    'a vendor’s patched build',
    withScripts(script('/jquery.js', jquery('1.12.4-wp')), script('/a.js', '/*! jQuery v1.12.4+deb11 */')),
  ],
  [
    'the site’s own release in the path',
    loading('/assets/1.2.3/jquery.min.js', '/jquery/1.2.3/app.js', '/app-1.2.3.js'),
  ],
  [
    'a script behind a consent tool',
    page('<script type="text/plain" src="https://code.jquery.com/jquery-1.7.2.min.js"></script>'),
  ],
  [
    'a style sheet and a link',
    page(
      '<link rel="stylesheet" href="https://maxcdn.bootstrapcdn.com/bootstrap/3.3.7/css/bootstrap.min.css"><a href="https://code.jquery.com/jquery-1.7.2.min.js">old</a>',
    ),
  ],
  [
    'a style sheet within a script',
    withScripts(
      script('/a.js', 'e.push([1,"/*!\\n * Bootstrap v3.3.7 (http://getbootstrap.com)\\n * Copyright */"])'),
    ),
  ],
  [
    'a plugin that names its dependencies',
    withScripts(
      script(
        '/a.js',
        '/*! Carousel v1.2.0, requires jQuery v1.7.1, based on Underscore.js 1.8.3 and lodash 4.17.4 */\nf="1.7.1",g={jquery:f}',
      ),
    ),
  ],
  ['text about a library', page('<pre>/*! jQuery v1.7.1 */</pre>')],
  [
    'fixed versions',
    withScripts(
      script(
        '/a.js',
        'var nn="4.18.1",tn=200,x="y",on="__lodash_hash_undefined__";n.version="3.4.16",n.removed=[];c.version="2.30.1",e=b,c.isMoment=k;',
      ),
    ),
  ],
  ['the next release candidate', withScripts(script('/a.js', jquery('4.0.0-rc.1')))],
  ['a data: URL', loading('data:text/javascript,/*! jQuery v1.7.1 */', 'javascript:void 0')],
];

/**
 * Scripts of other sites, which a scan does not read and whose URLs name no library. They may contain one.
 */
const unread: readonly [string, WebsiteCapture][] = [
  [
    'a version range that a CDN resolves',
    loading('https://cdn.jsdelivr.net/npm/jquery@3/dist/jquery.min.js'),
  ],
  [
    'another package of the same name',
    loading(
      'https://cdn.jsdelivr.net/npm/@types/jquery@1.0.0/index.js',
      'https://cdn.jsdelivr.net/npm/jquery-form@1.0.0/jquery.form.js',
    ),
  ],
  [
    'a translation, and a plugin, of a library',
    loading(
      'https://cdnjs.cloudflare.com/ajax/libs/moment.js/2.18.1/locale/de.min.js',
      'https://cdnjs.cloudflare.com/ajax/libs/angularjs/1.2.3/i18n/angular-locale_de.js',
    ),
  ],
  ['the site’s bundle on a CDN', loading('https://cdn.shop-assets.example/main.js')],
];

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  {
    name: 'the comment of a library that a source map keeps',
    capture: captureWith({
      texts: seen([
        {
          url: 'https://portal.example.com/app.js.map',
          name: 'node_modules/jquery/dist/jquery.js',
          text: seen('/*!\n * jQuery JavaScript Library v3.4.1\n * https://jquery.com/\n */\n'),
        },
      ]),
    }),
    expected: [{ check: 'libraries.vulnerable', locator: 'https://portal.example.com jquery@3' }],
  },
  ...harmless.map(([name, capture]) => ({ name: `harmless: ${name}`, capture, expected: [] })),
  ...unread.map(([name, capture]) => ({
    name: `unread: ${name}`,
    capture,
    expected: [],
    notAssessed: both,
  })),
  {
    name: 'harmless: the loader of a known vendor',
    capture: loading('https://www.googletagmanager.com/gtm.js?id=GTM-1'),
    expected: [],
  },
  {
    name: 'an old jQuery in a script, by its comment',
    capture: withScripts(script('/js/vendor.3f9a1c2b.js', jquery('3.4.1'))),
    expected: [vulnerable('jquery@3')],
  },
  {
    name: 'a jQuery without comments, its version in a variable',
    capture: withScripts(
      script(
        '/a.js',
        '"use strict";var t=[],f="3.4.1",k=function(e,t){return new k.fn.init(e,t)};k.fn=k.prototype={jquery:f,constructor:k}',
      ),
    ),
    expected: [vulnerable('jquery@3')],
  },
  {
    name: 'two files of one major version and one of another',
    capture: withScripts(
      script('/a.js', jquery('1.12.4')),
      script('/b.js', jquery('1.7.2')),
      script('/c.js', jquery('3.3.1')),
    ),
    expected: [vulnerable('jquery@1'), endOfLife('jquery@1'), vulnerable('jquery@3')],
  },
  {
    name: 'CDN URLs in all formats',
    capture: loading(
      'https://cdn.jsdelivr.net/combine/npm/lodash@4.17.4/lodash.min.js,npm/handlebars@4.5.0/dist/handlebars.min.js',
      'https://unpkg.com/moment@2.18.1',
      '//cdnjs.cloudflare.com/ajax/libs/angular.js/1.6.9/angular.min.js',
      'https://ajax.googleapis.com/ajax/libs/jqueryui/1.12.1/jquery-ui.min.js',
      'https://code.jquery.com/jquery-3.3.1.slim.min.js',
      'https://stackpath.bootstrapcdn.com/bootstrap/4.1.3/js/bootstrap.bundle.min.js',
      'https://cdnjs.cloudflare.com/ajax/libs/Chart.js/2.9.3/Chart.min.js',
    ),
    expected: [
      vulnerable('lodash@4'),
      vulnerable('handlebars@4'),
      vulnerable('moment@2'),
      vulnerable('angularjs@1'),
      endOfLife('angularjs@1'),
      vulnerable('jquery-ui@1'),
      vulnerable('jquery@3'),
      vulnerable('bootstrap@4'),
      endOfLife('bootstrap@4'),
      vulnerable('chartjs@2'),
    ],
  },
  {
    name: 'a file whose content contradicts its name',
    capture: captureWith({
      page: seen(
        response(`${origin}/`, { body: '<!doctype html><script src="/js/jquery-1.7.2.min.js"></script>' }),
      ),
      scripts: seen([script('/js/jquery-1.7.2.min.js', jquery('3.7.1'))]),
    }),
    expected: [],
  },
  {
    name: 'a library in a script within the page',
    capture: page('<script>/** @license React v16.4.0\n * react-dom.production.min.js */x=1</script>'),
    expected: [vulnerable('react-dom@16')],
  },
  {
    name: 'a version in backticks, a hoisted variable, and one that only its code shows',
    capture: withScripts(
      script('/a.js', 'var f=`3.4.1`,k=function(e){return new k.fn.init(e)};k.fn=k.prototype={jquery:f,a:1}'),
      script('/b.js', 'let a="4.17.20",b=200,c="x",d="__lodash_hash_undefined__";'),
      script(
        '/c.js',
        'm("Please fix this field.");v.pendingRequest=0,v.stopRequest(a),r.rangelength=f,ajax({mode:"abort",port:"validate"+n})',
      ),
    ),
    expected: [vulnerable('jquery@3'), vulnerable('lodash@4'), vulnerable('jquery-validation@1')],
  },
  {
    name: 'a range by the code, and the exact version by the name',
    capture: captureWith({
      page: seen(
        response(`${origin}/`, {
          body: '<!doctype html><script src="/js/jquery-validation-1.20.1.min.js"></script>',
        }),
      ),
      scripts: seen([
        script(
          '/js/jquery-validation-1.20.1.min.js',
          'm("Please fix this field.",pendingRequest,stopRequest,rangelength)',
        ),
      ]),
    }),
    expected: [],
  },
  {
    name: 'an import map, and the markup of Angular',
    capture: page(
      '<script type="importmap">{"imports":{"jquery":"https://ga.jspm.io/npm:jquery@3.4.1/dist/jquery.js","b":"/b.js"}}</script><app-root ng-version="17.0.2"></app-root>',
    ),
    expected: [vulnerable('jquery@3'), vulnerable('angular-core@17')],
  },
  {
    name: 'no longer maintained, without a known vulnerability',
    capture: withScripts(
      script('/a.js', '/*!\n  * Bootstrap v4.6.2 (https://getbootstrap.com/)\n  * Copyright */'),
    ),
    expected: [endOfLife('bootstrap@4')],
  },
  {
    name: 'a table older than a year',
    capture: captureWith({ collected_at: '2027-09-01T00:00:00.000Z' }),
    expected: [{ check: 'libraries.database_outdated', locator: 'advisories' }],
  },
  {
    name: 'no page',
    capture: captureWith({ page: notSeen() }),
    expected: [],
    notAssessed: all,
  },
  {
    name: 'unread scripts with known URLs',
    capture: captureWith({
      page: seen(
        response(`${origin}/`, {
          body: '<!doctype html><script src="https://code.jquery.com/jquery-3.4.1.js"></script>',
        }),
      ),
      scripts: notSeen(),
    }),
    expected: [vulnerable('jquery@3')],
    notAssessed: both,
  },
  {
    name: 'a script beyond the limits, and one that was cut off',
    capture: withScripts(
      { url: `${origin}/a.js`, response: notSeen() },
      script('/b.js', jquery('3.4.1'), { body_truncated: true }),
    ),
    expected: [vulnerable('jquery@3')],
    notAssessed: both,
  },
  { name: 'an error page', capture: pageWith({ status: 500 }), expected: [], notAssessed: all },
];
