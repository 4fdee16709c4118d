import { at, inQuotes, name, next, orVariable, quote, type Signature, version } from './signature.ts';

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
  at('chartjs', '.version=', String.raw`${inQuotes}${next}${name}\.getChart=`),
  at('echarts', '={zrender:', quote, `${inQuotes}${next}${name}`),
  at(
    'zrender',
    '={zrender:',
    `${inQuotes}\\}`,
    `${quote}\\d{1,2}\\.\\d{1,3}\\.\\d{1,3}${quote}${next}${name}`,
  ),
  at('highcharts', 'product:', `${quote}Highcharts${quote},version:${inQuotes}`),
  at('highcharts', 'product=', `${quote}Highcharts${quote}${next}${name}\\.version=${inQuotes}`),
  at('highcharts', 'code.highcharts.com/', `${version}/gfx/vml-`),
  at('mathjax', 'MathJax.version=', inQuotes),
  at('mathjax', 'MathJax.version = ', inQuotes),
  at('mathjax', '.MathJax={version:', inQuotes),
  at('mathjax', '.mathjaxVersion=', inQuotes),
  at('three', '.__THREE__=', String.raw`${quote}(?<revision>\d{2,3})(?:dev)?${quote}`),
  at('three', '{detail:{revision:', String.raw`${quote}(?<revision>\d{2,3})${quote}`),
  at('three', 'THREE={REVISION:', String.raw`${quote}(?<revision>\d{2,3})${quote}`),
  at(
    'three',
    '.REVISION=',
    String.raw`${quote}(?<revision>\d{2,3})${quote}`,
    '(?:Quaternion|Matrix|Scene|Geometry|Vector|Zero|Wrap|Mapping).{1,200}',
  ),
  at(
    'videojs',
    '.prototype.options_',
    '',
    String.raw`\.VERSION=${orVariable}${next}${name}\.options=${name}(?:\.default|\.\w)?`,
  ),
];
