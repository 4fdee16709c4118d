/** Names of libraries in Retire.js's list where they differ from ours. Parts of jQuery UI are one library here. */
const ours: Readonly<Record<string, string>> = {
  '@angular/core': 'angular-core',
  AlaSQL: 'alasql',
  DOMPurify: 'dompurify',
  DWR: 'dwr',
  ExtJS: 'extjs',
  YUI: 'yui',
  'backbone.js': 'backbone',
  'chart.js': 'chartjs',
  easyXDM: 'easyxdm',
  jPlayer: 'jplayer',
  'jquery-ui-dialog': 'jquery-ui',
  'jquery-ui-tooltip': 'jquery-ui',
  'jquery.datatables': 'datatables',
  'jquery.prettyPhoto': 'prettyphoto',
  'jquery.terminal': 'jquery-terminal',
  'moment.js': 'moment',
  'mustache.js': 'mustache',
  nextjs: 'next',
  'pdf.js': 'pdfjs',
  prototypejs: 'prototype',
  'tableexport.jquery.plugin': 'tableexport',
  threejs: 'three',
  tinyMCE: 'tinymce',
  'underscore.js': 'underscore',
  'video.js': 'videojs',
};

/** Our name of a library in Retire.js's list, which also contains an example. */
export const nameOf = (theirs: string): string | undefined =>
  theirs === 'retire-example' ? undefined : (ours[theirs] ?? theirs);
