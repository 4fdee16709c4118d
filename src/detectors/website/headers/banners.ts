import type { HttpResponse } from '../../../captures/website.ts';
import { type DetectionBuilder, quoted } from '../../detection.ts';
import { headersChecks as checks } from './checks.ts';

/** Telling software apart from its version: `Server: nginx` is fine, `nginx/1.22.1` is not. */
const tellsVersion = (value: string) => /\d\.\d/.test(value);

/** Header fields and when their value gives something away. */
const banners: Record<string, (value: string) => boolean> = {
  server: tellsVersion,
  'x-powered-by': () => true,
  'x-aspnet-version': () => true,
  'x-aspnetmvc-version': () => true,
  'x-generator': value => /\d/.test(value),
  'x-powered-cms': () => true,
  'x-php-version': () => true,
  'x-jenkins': tellsVersion,
  'x-owa-version': tellsVersion,
  microsoftsharepointteamservices: tellsVersion,
  'liferay-portal': tellsVersion,
  // Each hop begins with the version of HTTP; a product's own follows its slash.
  via: value => /[a-z]\/\d{1,4}\.\d/i.test(value.replace(/\bhttps?\/\d/gi, '')),
};

/** Fields that only debuggers and profilers send. */
const debugging = new Set([
  'x-debug',
  'x-debug-info',
  'x-debug-token',
  'x-debug-token-link',
  'x-debugbar-id',
  'x-clockwork-id',
  'x-clockwork-version',
  'x-chromelogger-data',
  'x-chromephp-data',
  'x-wf-protocol-1',
  'x-xdebug-profile-filename',
  'x-laravel-debugbar',
  'x-django-debug-toolbar',
  'x-debug-exception',
  'x-debug-exception-file',
  'x-sourcefiles',
  'x-miniprofiler-ids',
  'phpdebugbar',
  'phpdebugbar-id',
]);

/** `X-Debug: 0` is how some servers say that there is none. */
const isOff = (value: string) => /^\s{0,8}(?:0|false|off|no|none)?\s{0,8}$/i.test(value);

/** Header fields that help an attacker more than a visitor. Values of debugging headers are not repeated. */
export function detectBanners(found: DetectionBuilder, origin: string, page: HttpResponse): void {
  for (const [name, value] of page.headers) {
    if (Object.hasOwn(banners, name) && banners[name]?.(value)) {
      found.observe(checks.versionBanner, `${origin} ${name}`, `The header ${name} says ${quoted(value)}.`);
    } else if (debugging.has(name) && !isOff(value)) {
      found.observe(checks.debug, `${origin} ${name}`, `The answer has the header ${name}.`);
    }
  }
}
