import { at, inQuotes, listed, name, next, orVariable, quote, type Signature, version } from './signature.ts';

const assignments: Readonly<Record<string, readonly string[]>> = {
  dompurify: ['DOMPurify.version = '],
  handlebars: ['Handlebars.VERSION = '],
  'ua-parser-js': ['LIBVERSION = '],
};

const lodashTop = String.raw`${inQuotes},${name}=\d{1,3},`;

/** Libraries for data, texts, templates and requests. */
export const toolSignatures: readonly Signature[] = [
  ...listed(assignments, inQuotes),
  // Builds of releases are named after branches.
  at(
    'alasql',
    '.version=',
    String.raw`${quote}(?<version>\d\.\d{1,3}\.\d{1,3})(?:-[\w-]{1,60})?${quote}[,;]${name}\.debug=`,
  ),
  at('axios', '.toFormData=', '', String.raw`\.VERSION=${orVariable}${next}${name}`),
  at('axios', '[Axios v', String.raw`(?:${version}\]|${quote}\+(?<variable>${name})\+)`),
  at('axios', '[Axios v', '', `${inQuotes}.{0,200}?${quote}symbol${quote}.{0,260}?`),
  at(
    'axios',
    '[Axios v',
    String.raw`${quote}\+\k<imported>\+`,
    String.raw`[\s,;](?<imported>${name})=${name}\((?<module>\d{1,7})\)\.(?<key>\w{1,9})[,;].{0,500}?`,
  ),
  // Until 0.21.4, bundles contain the whole package.json.
  at(
    'axios',
    'Promise based HTTP client for the browser',
    String.raw`.{0,60}?["']?main["']?:${quote}index\.js`,
    `["'{]?name["']?:${quote}axios${quote},["']?version["']?:${inQuotes},["']?description["']?:${quote}`,
  ),
  at('axios', 'axios/', `${version}${quote}`, `User-Agent${quote},${quote}`),
  at(
    'dojo',
    'major:',
    String.raw`\s?(?<major>\d),\s?minor:\s?(?<minor>\d{1,2}),\s?patch:\s?(?<patch>\d{1,2}),\s?flag:\s?${quote}[^"'\x60]{0,9}${quote},\s?revision:`,
  ),
  at('dompurify', '.removed=[]', '', String.raw`\.version=${orVariable}${next}${name}`),
  at('handlebars', '.COMPILER_REVISION=', '', `=${inQuotes}[^"'\`]{0,60}`),
  at('handlebars', 'COMPILER_REVISION = ', '', `= ${inQuotes}[^"'\`]{0,80}`),
  at('highlightjs', '.versionString=', orVariable, String.raw`\.safeMode=.{1,40}[,;]${name}`),
  at('jszip', '.loadAsync=function(', '', String.raw`\.version=${inQuotes}${next}${name}`),
  at('jszip', '.loadAsync=', String.raw`\(`, String.raw`\.version=${inQuotes}${next}${name}`),
  at('lodash', '__lodash_hash_undefined__', '', `${lodashTop}.{1,250}`),

  at(
    'lodash',
    'var VERSION = ',
    String.raw`${inQuotes};\s{1,6}\/\*\* Used as the size to enable large array`,
  ),
  at('lodash', '.VERSION=', String.raw`${orVariable}[,;]${name}\(\[?["'\x60]bind["' \x60]`),
  at(
    'lodash',
    '.VERSION=',
    String.raw`${inQuotes}${next}${name}\.prototype\.(?:chain|toString)=(?:${name}[,;]|function\(\)\{return .{0,20}?this\.__)`,
  ),
  at('lodash', '.VERSION=', String.raw`${inQuotes}${next}${name}\.(?:assign|after)=`),
  at('lodash', '.VERSION=', String.raw`${orVariable}[,;]\(?${name}\.templateSettings=`),
  at('lodash', '=4294967295', '', `${inQuotes}${next}${name}=2,${name}=1,${name}=3,${name}`),
  at('moment', '.version=', String.raw`${inQuotes},[^;]{1,900}?\.isMoment=`),
  at(
    'moment',
    '.version=',
    String.raw`${inQuotes}[,;]${name}\(${name}\)[,;]${name}\.fn=${name}[,;]${name}\.min=`,
  ),
  at('moment', '.defaultFormat=', '', String.raw`\.version=${orVariable}${next}${name}`),
  at('mustache', 'mustache.js', `${quote},version:${inQuotes}`, `name:${quote}`),
  at('mustache', 'mustache.js', String.raw`${quote}[,;]${name}\.version=${inQuotes}`, `name=${quote}`),
  at('protobufjs', '.VERSION=', `${inQuotes}${next}${name}\\.WIRE_TYPES=`),
  at('ua-parser-js', '.BROWSER=', '', String.raw`\.VERSION=${orVariable}${next}${name}`),
  at('underscore', '.VERSION=', inQuotes, String.raw`\._=${name}\)?[,;]{1,2}${name}`),
  at(
    'underscore',
    '.VERSION=',
    inQuotes,
    String.raw`this\._wrapped=${name}\}?[,;}]{1,2}(?:var |const |let )?(?:${name}=)?${name}`,
  ),
  at(
    'underscore',
    '&&self.self===self&&self||',
    '',
    `${inQuotes}${next}${name}=typeof self==${quote}object${quote}`,
  ),
  at(
    'underscore',
    '&&self.self===self&&self||',
    '',
    `${inQuotes}${next}${name}=${quote}object${quote}==typeof self`,
  ),
  at('jspdf', '.API={events:[]}', String.raw`[,;]${name}\.version=${inQuotes}`),
  at('luxon', '.VERSION=', String.raw`${inQuotes}[,;]${name}\.Zone=`),
  at('mermaid', 'mermaid', `${quote},["']?version["']?:${inQuotes},`, `["'{]?name["']?:${quote}`),
  at(
    'requirejs',
    String.raw`require\s*\(\s*["']([^'"\s]+)["']\s*\)/g`,
    '',
    String.raw`${inQuotes},\s{0,20}${name}\s?=\s?\/.{20,90},\s{0,20}${name}\s?=\s?\/\[\^.\]\\s\*`,
  ),
  at('swagger-ui', 'PACKAGE_VERSION:', `${inQuotes},GIT_COMMIT:`),
  at(
    'swagger-ui',
    ' GMT',
    quote,
    String.raw`=["']g[\da-f]{7,9}["'],${name}=${inQuotes},(?:${name}=["'][\w-]{1,40}["'],)?${name}=["']\w{3}, \d\d \w{3} \d{4} [\d:]{8}`,
  ),
  at('katex', ',renderToString:', '', `version:${inQuotes},render:${name}`),
  at('xlsx', 'make_xlsx', String.raw`(?:_lib)?\(${name}\)\{${name}\.version=${inQuotes}`),
  at('xlsx', '=1200', '[,;]', String.raw`\.version=${inQuotes};var [\w$,]{10,500}`),
  at('xlsx', '=1200', '[,;]', `\\{version:${inQuotes}\\}${next}${name}`),
  at('xlsx', '.version=', `${inQuotes}${next}${name}=1200[,;]`),
  at('yui', 'yui-base', quote, `${inQuotes},\\{use:\\[${quote}`),
];
