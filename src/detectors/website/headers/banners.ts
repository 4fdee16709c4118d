import type { HttpResponse } from '../../../captures/website.ts';
import { type DetectionBuilder, quoted } from '../../detection.ts';
import { headersChecks as checks } from './checks.ts';

/** `Server: nginx` passes, `nginx/1.22.1` does not. */
const hasVersion = (value: string) => /\d\.\d/.test(value);

/** The constant text of AWS's load balancers, which no customer can change. */
const isConstant = (value: string) => value.trim() === 'awselb/2.0';

/** Header fields, and when their value reveals a version. */
const banners: Record<string, (value: string) => boolean> = {
  server: value => hasVersion(value) && !isConstant(value),
  'x-powered-by': () => true,
  'x-aspnet-version': () => true,
  'x-aspnetmvc-version': () => true,
  'x-generator': value => /\d/.test(value),
  'x-powered-cms': () => true,
  'x-php-version': () => true,
  'x-jenkins': hasVersion,
  'x-owa-version': hasVersion,
  microsoftsharepointteamservices: hasVersion,
  'liferay-portal': hasVersion,
  // Each hop starts with the HTTP version; a product's version follows its slash.
  via: value => /[a-z]\/\d{1,4}\.\d/i.test(value.replace(/\bhttps?\/\d/gi, '')),
};

/** Fields that only debuggers and profilers send. */
const debugging = new Set([
  ...['x-debug', 'x-debug-info', 'x-debug-token', 'x-debug-token-link', 'x-debugbar-id', 'x-clockwork-id'],
  ...['x-clockwork-version', 'x-chromelogger-data', 'x-chromephp-data', 'x-wf-protocol-1'],
  ...['x-xdebug-profile-filename', 'x-laravel-debugbar', 'x-django-debug-toolbar', 'x-debug-exception'],
  ...['x-debug-exception-file', 'x-sourcefiles', 'x-miniprofiler-ids', 'phpdebugbar', 'phpdebugbar-id'],
]);

/** Some servers send `X-Debug: 0` when debugging is off. */
const isOff = (value: string) => /^\s{0,8}(?:0|false|off|no|none)?\s{0,8}$/i.test(value);

/** Header fields that help an attacker more than a visitor. Values of debugging headers are not repeated. */
export function detectBanners(found: DetectionBuilder, origin: string, page: HttpResponse): void {
  for (const [name, value] of page.headers) {
    if (Object.hasOwn(banners, name) && banners[name]?.(value)) {
      found.observe(checks.versionBanner, `${origin} ${name}`, `The header ${name} is ${quoted(value)}.`);
    } else if (debugging.has(name) && !isOff(value)) {
      found.observe(checks.debug, `${origin} ${name}`, `The response has the header ${name}.`);
    }
  }
}
