import { at, inQuotes, name, next, orVariable, quote, type Signature, version } from './signature.ts';

/** three.js counts revisions: `"125"` is 0.125.0. */
const revision = String.raw`(?:${quote}(?<revision>\d{2,3})(?:dev)?${quote}|(?<revisionVariable>${name}))`;

/** Charts, maps, players and other graphics. */
export const chartSignatures: readonly Signature[] = [
  at(
    'c3',
    '=this.internal=new ',
    String.raw`${name}\(this\)[,;]${name}\.loadConfig\(`,
    String.raw`\{version:${inQuotes}\}.{0,60}?`,
  ),
  at(
    'chartjs',
    'chartArea',
    String.raw`${quote}\]`,
    String.raw`${inQuotes}${next}${name}=\[${['top', 'bottom', 'left', 'right'].map(side => `${quote}${side}${quote},`).join('')}${quote}`,
  ),
  at('chartjs', 'static version=', `${inQuotes};static getChart=`),
  at('chartjs', 'version:{enumerable:', String.raw`[\w$!]{1,9},value:${inQuotes}\},getChart:`),
  at('chartjs', '.version=', String.raw`${inQuotes}${next}${name}\.getChart=`),
  at('echarts', '={zrender:', quote, `${inQuotes}${next}${name}`),
  at('echarts', '={zrender:', quote, String.raw`\.version=${inQuotes}[,;]${name}\.dependencies`),
  at('echarts', 'dependencies:{zrender:', quote, `version:${inQuotes},`),
  at(
    'zrender',
    '={zrender:',
    `${inQuotes}\\}`,
    `${quote}\\d{1,2}\\.\\d{1,3}\\.\\d{1,3}${quote}${next}${name}`,
  ),
  at(
    'gsap',
    '.version=',
    String.raw`${name}\.version=${name}\.version=${inQuotes}[,;]`,
    String.raw`["'\x60]snap["'\x60],${name}\)\)?\)?(?:\|\|${name})?[,;]${name}`,
  ),
  at('highcharts', 'product:', `${quote}Highcharts${quote},version:${inQuotes}`),
  at('highcharts', 'product=', `${quote}Highcharts${quote}${next}${name}\\.version=${inQuotes}`),
  at('highcharts', 'code.highcharts.com/', `${version}/gfx/vml-`),
  at('mathjax', 'MathJax.version=', inQuotes),
  at('mathjax', 'MathJax.version = ', inQuotes),
  at('mathjax', '.MathJax={version:', inQuotes),
  at('mathjax', '.mathjaxVersion=', inQuotes),
  at('three', '.__THREE__=', revision),
  at(
    'three',
    '={LEFT:0,MIDDLE:1,RIGHT:2',
    '',
    String.raw`${quote}(?<revision>\d{2,3})${quote}${next}${name}`,
  ),
  at('three', '{detail:{revision:', revision),
  at('three', 'THREE={REVISION:', revision),
  at('three', 'REVISION:', `${revision}\\}`, String.raw`[,;]${name}=\{`),
  at('three', '.REVISION=', String.raw`${revision}[,;]${name}\.MOUSE=`),
  at('videojs', '.VERSION=', String.raw`${inQuotes}[,;]${name}\.options=\{techOrder:`),
  at(
    'videojs',
    '.prototype.options_',
    '',
    String.raw`\.VERSION=${orVariable}${next}${name}\.options=${name}(?:\.default|\.\w)?`,
  ),
];
