import { at, inQuotes, listed, name, next, orVariable, quote, type Signature } from './signature.ts';

/** Code that is followed by the version in quotes. */
const assignments: Readonly<Record<string, readonly string[]>> = {
  ember: ['Ember.VERSION=', 'Ember.VERSION = '],
  prototype: ['Prototype={Version:'],
  vue: ['Vue.version = '],
  vuetify: ['Vuetify.version = '],
};

/** Frameworks that draw pages. */
export const frameworkSignatures: readonly Signature[] = [
  ...listed(assignments, inQuotes),
  at(
    'angular-core',
    '.slice(2).join(',
    String.raw`${quote}\.${quote}\)(?:[^"'\x60]{0,60}\bnew ${name}|\}\))\(${inQuotes}\)`,
  ),
  at('angular-core', 'ng-version', `${quote},${inQuotes}`),
  at('angularjs', '{full:', String.raw`\s?${inQuotes},\s{0,40}major:\s?\d{1,2},`),
  at('angularjs', 'errors.angularjs.org/', `${inQuotes.slice(quote.length, -quote.length)}/["'\`]`),
  at('backbone', '.VERSION=', `${inQuotes}${next}${name}\\.\\$=${name}${next}${name}\\.noConflict=`),
  at('backbone', '.VERSION=', String.raw`${inQuotes}[,;](?:var |let )?${name}=${name}\._[,;]`),
  at('backbone', '.Backbone={}', String.raw`(?::${name})?[,;)]{1,3}${name}\.VERSION=${inQuotes}`),
  at('ember', 'ember/version', `${quote}, ?\\[${quote}exports${quote}\\].{0,160}?\\.default ?= ?${inQuotes}`),
  at(
    'knockout',
    '.version)',
    '',
    String.raw`\.version=${inQuotes}${next}${name}\.\w{1,14}\(${quote}version${quote},${name}`,
  ),
  at('mootools', 'MooTools={version:', `${inQuotes},build:`),
  at('mootools', 'MooTools = {', String.raw`\s{0,9}version: ?${inQuotes}`),
  at('next', 'next={version:', `${orVariable},appDir:`),
  at('next', 'window.__NEXT_DATA__=', String.raw`${name}${next}${name}(?:\.version)?=${inQuotes}`),
  at(
    'next',
    '[].slice.call(',
    '',
    `${inQuotes}${next}${name}${next}${name}=\\(0,${name}\\.\\w{1,9}\\)\\(\\)${next}${name}=${name}=>`,
  ),
  at('react', '__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED', ':', `[,{]version:${inQuotes},`),
  at(
    'react',
    '.version=',
    inQuotes,
    String.raw`\.use(?:State|Transition)=function\([\w$]{0,4}\)\{return ${name}(?:\.H|\.current|\(\))?\.use(?:State|Transition)\([\w$]{0,4}\)\}[,;]{1,2}${name}`,
  ),
  at(
    'react',
    '.version=',
    `(?<variable>${name})(?=[,;}])`,
    String.raw`\.use(?:State|Transition)=function\([\w$]{0,4}\)\{return ${name}(?:\.H|\.current|\(\))?\.use(?:State|Transition)\([\w$]{0,4}\)\}[,;]{1,2}${name}`,
  ),
  at('react', '.version=', inQuotes, String.raw`TextComponent:${name}\}\)\}?[,;]${name}`),
  at(
    'react-dom',
    'rendererPackageName:',
    `${quote}react-dom${quote}`,
    String.raw`version:${inQuotes},\s{0,20}`,
  ),
  at('svelte', 'SvelteDOMInsert', '', `version:${inQuotes}\\},.{1,120}`),
  at('vue', '.version=', orVariable, `(?:ssrContext|_isServer|FunctionalRenderContext).{1,60}?[,;]${name}`),
  at('vue', '.version=', `${inQuotes}${next}${name}\\.options=\\{directives:`),
  at('vue', '.version=', String.raw`${inQuotes}[,;]setTimeout\(\(?function\(\)\{${name}\.devtools`),
  at(
    'vuetify',
    '.installed=',
    String.raw`(?:!1|false)[,;]${name}\.version=${inQuotes}`,
    String.raw`this\.installed\.push\(.{1,60}?[,;]${name}\.install=[\w$.[\]"']{1,80}[,;]${name}`,
  ),
];
