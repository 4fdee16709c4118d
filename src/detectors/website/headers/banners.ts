import type { HttpResponse } from '../../../evidence/website.ts';
import { type DetectionBuilder, quoted } from '../../detection.ts';
import { headersChecks as checks } from './checks.ts';

/** Telling software apart from its version: `Server: nginx` is fine, `nginx/1.22.1` is not. */
const tellsVersion = (value: string) => /\d+\.\d+/.test(value);

/** Header fields and when their value gives something away. */
const banners: Record<string, (value: string) => boolean> = {
  server: tellsVersion,
  'x-powered-by': () => true,
  'x-aspnet-version': () => true,
  'x-aspnetmvc-version': () => true,
  'x-generator': tellsVersion,
  via: value =>
    /\b(?:varnish|squid|apache|nginx)\b/i.test(value) && tellsVersion(value.replace(/^\d\.\d\s/, '')),
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
]);

/** Header fields that help an attacker more than a visitor. Values of debugging headers are not repeated. */
export function detectBanners(found: DetectionBuilder, origin: string, page: HttpResponse): void {
  for (const [name, value] of page.headers) {
    if (Object.hasOwn(banners, name) && banners[name]?.(value)) {
      found.observe(checks.versionBanner, `${origin} ${name}`, `The header ${name} says ${quoted(value)}.`);
    } else if (debugging.has(name)) {
      found.observe(checks.debug, `${origin} ${name}`, `The answer has the header ${name}.`);
    }
  }
}
