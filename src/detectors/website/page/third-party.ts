import { getDomain } from 'tldts';
import type { Markup } from '../markup.ts';

/** Hosts whose vendors change what they serve under one address, by their own word: a hash would break the page. */
const changing = [
  'js.stripe.com',
  'googletagmanager.com',
  'google-analytics.com',
  'google.com',
  'gstatic.com',
  'recaptcha.net',
  'maps.googleapis.com',
  'fonts.googleapis.com',
  'apis.google.com',
  'googlesyndication.com',
  'googleadservices.com',
  'challenges.cloudflare.com',
  'static.cloudflareinsights.com',
  'hcaptcha.com',
  'paypal.com',
  'paypalobjects.com',
  'squarecdn.com',
  'adyen.com',
  'connect.facebook.net',
  'bat.bing.com',
  'snap.licdn.com',
  'analytics.tiktok.com',
  'hotjar.com',
  'clarity.ms',
  'intercom.io',
  'intercomcdn.com',
  'hs-scripts.com',
  'cookielaw.org',
  'cookiebot.com',
  'youtube.com',
  'vimeo.com',
  'use.typekit.net',
  'kit.fontawesome.com',
];

/** Names that were sold or taken over and have served malicious scripts since, with all below them. */
const takenOver = [
  'polyfill.io',
  'polyfill.com',
  'polyfillcache.com',
  'bootcss.com',
  'bootcdn.net',
  'staticfile.net',
  'staticfile.org',
  'unionadjs.com',
  'xhsbpza.com',
  'macoms.la',
  'newcrbpc.com',
];

const isBelow = (hostname: string, name: string) => hostname === name || hostname.endsWith(`.${name}`);

/** The name under which a host is known as taken over, or null. */
export function takenOverName(hostname: string): string | null {
  return takenOver.find(name => isBelow(hostname, name)) ?? null;
}

export function isChanging(hostname: string): boolean {
  return changing.some(name => isBelow(hostname, name));
}

/** Hosts of other sites from which the page loads scripts or style sheets without a hash, by kind. */
export function hostsWithoutIntegrity(
  page: string,
  { resources }: Markup,
): { element: 'script' | 'link'; hostname: string }[] {
  const own = siteOf(new URL(page).hostname);
  const found = new Map<string, { element: 'script' | 'link'; hostname: string }>();
  for (const { element, url, hasIntegrity, loads } of resources) {
    if ((element !== 'script' && element !== 'link') || hasIntegrity || !loads || !/^https?:/.test(url))
      continue;
    const { hostname } = new URL(url);
    if (siteOf(hostname) !== own) found.set(`${element} ${hostname}`, { element, hostname });
  }
  return [...found.values()];
}

/** The registrable domain; addresses and names without one stand for themselves. */
export function siteOf(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
