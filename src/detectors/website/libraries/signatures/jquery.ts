import { at, inQuotes, listed, name, next, orVariable, quote, type Signature } from './signature.ts';

const assignments: Readonly<Record<string, readonly string[]>> = {
  'jquery-migrate': ['.migrateVersion=', '.migrateVersion = '],
  'jquery-terminal': ['.terminal={version:'],
  'jquery-ui': ['.ui.version=', '.ui.version = ', '{datepicker:{version:'],
  prettyphoto: ['prettyPhoto={version:', 'prettyPhoto = {version: '],
};

/** Parts of jQuery UI. Others add widgets with versions of their own to the same namespace. */
const widgets =
  'accordion|autocomplete|button|checkboxradio|controlgroup|dialog|draggable|droppable|menu|mouse|progressbar|resizable|selectable|selectmenu|slider|sortable|spinner|tabs|tooltip';

/** jQuery, its plugins and Bootstrap. */
export const jquerySignatures: readonly Signature[] = [
  ...listed(assignments, inQuotes),
  at('jquery', '.prototype={jquery:', `${orVariable},`),
  at('jquery', 'jquery:', String.raw`\s?${inQuotes}`, `selector:\\s?${quote}${quote},\\s{0,9}`),
  at('jquery-mobile', ',subPageUrlKey:', '', `version:${inQuotes}(?:,ns:${quote}${quote})?`),
  at('jquery-ui', '.effects,{version:', `${inQuotes},(?:define|save):`, `[(,]${name}`),
  at('jquery-ui', '.ui,{version:', `${inQuotes},(?:save:\\w{1,9},)?keyCode:`),
  at(
    'jquery-ui',
    '.widget(',
    String.raw`${quote}ui\.(?:${widgets})${quote},(?:${name}\.ui\.mouse,)?\{version:${inQuotes}`,
  ),
  at('datatables', '.version=', String.raw`${inQuotes}${next}${name}\.settings=\[\]`),
  at('datatables', 'DataTable.version = ', inQuotes),
  at('datatables', '_unique:0,version:', inQuotes),
  at('jplayer', '{script:', `${inQuotes},needFlash:`, 'version:'),
  at('bootstrap', 'this.close)};', String.raw`${name}\.VERSION=${inQuotes}`),
  at(
    'bootstrap',
    'bs.alert',
    quote,
    `${quote}alert${quote}${next}${name}=${inQuotes}${next}${name}=${quote}`,
  ),
  at(
    'bootstrap',
    'get VERSION(){return',
    String.raw` ?${orVariable}\}static get DATA_KEY\(\)\{return${quote}bs\.`,
  ),
  at(
    'bootstrap',
    '.CLICK_DATA_API,',
    String.raw`(?:${name}\.DISMISS|${quote}\[data-dismiss=\\?["']alert\\?["']\]${quote}),`,
    String.raw`${quote}VERSION${quote},get:function\(\)\{return ?${inQuotes}\}\}\]\)[,;](?:return )?${name}\}\(\)[,;}]{1,2}(?:return )?${name}\(document\)\.on\(${name}`,
  ),
  at(
    'bootstrap',
    'get VERSION(){return',
    String.raw` ?${inQuotes}\}\}[;,](?:let |const |var )?${name}=${quote}bs\.alert${quote}`,
  ),
  at(
    'bootstrap-select',
    'DEFAULTS={noneSelectedText:',
    '',
    String.raw`\.VERSION=${inQuotes}${next}(?:${name}\.BootstrapVersion=${name}\.major${next})?${name}\.`,
  ),
  at('plupload', 'STOPPED:1,STARTED:2,QUEUED:1,', '', `VERSION:${inQuotes},`),
];
