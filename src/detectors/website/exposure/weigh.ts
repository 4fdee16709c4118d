import type { Severity } from '../../../contract/severity.ts';
import { developmentFile } from './development-files.ts';
import { variableNames } from './environment-file.ts';
import type { FileKind } from './signatures.ts';

/** Variables that bundlers publish anyway, and those that only configure startup. */
const publicName =
  /^(?:NEXT_PUBLIC|VITE|REACT_APP|NUXT_PUBLIC|EXPO_PUBLIC|GATSBY|PUBLIC|VUE_APP|STORYBOOK)_|^(?:NODE_ENV|APP_ENV|APP_NAME|PORT|HOST|TZ|LANG|LOG_LEVEL|DEBUG|CI|GENERATE_SOURCEMAP)$/;

/** The lower severity of content that exposes less than usual; undefined otherwise. @param path without its query */
export function lighterSeverity(kind: FileKind, body: string, path: string): Severity | undefined {
  if (kind === 'source_map' && isOfPublicCode(body, path)) return 'info';
  if (kind === 'development_file') return developmentFile(body, path)?.severity;
  // nginx shows how busy it is, but no requests.
  if (kind === 'server_status' && /^Active connections: \d/.test(body)) return 'low';
  if (kind !== 'secrets_file' || body.includes('PRIVATE KEY')) return undefined;
  const names = variableNames(body).map(name => name.toUpperCase());
  return names.length > 0 &&
    names.every(name => publicName.test(name) && !/SECRET|PASS|TOKEN|PRIVATE/.test(name))
    ? 'low'
    : undefined;
}

/** Libraries that publish the maps of their builds. */
const publicLibrary =
  /\/(?:bootstrap|popper|jquery|vue|react|angular|lodash|moment|chart|d3|leaflet|swiper|axios|alpine|htmx|three|select2|datatables|flatpickr|quill|tinymce|video|hls|aos|gsap|slick|sweetalert2|dayjs|echarts|highlight|marked|mermaid|pdf|plotly|polyfill|fontawesome)(?:[.-][\w.-]{0,60})?\.map$/i;

/** Whether a source map restores only code that its authors publish. */
function isOfPublicCode(body: string, path: string): boolean {
  if (publicLibrary.test(path)) return true;
  const [, list] = /"sources"\s{0,4}:\s{0,4}\[([^\]]{0,60000})\]/.exec(body) ?? [];
  return list !== undefined && areOfPackages(list.split(',').map(name => name.trim()));
}

/** @param names of the sources in a map */
export function areOfPackages(names: readonly string[]): boolean {
  const isOf = (name: string) =>
    /node_modules\/|webpack\/(?:bootstrap|runtime)|^"?webpack:\/\/\/?\(webpack\)/.test(name);
  return names.some(name => /node_modules\//.test(name)) && names.every(isOf);
}
