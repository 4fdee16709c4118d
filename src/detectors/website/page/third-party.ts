import { getDomain } from 'tldts';
import type { Markup } from '../markup.ts';

/**
 * Hosts whose vendors state that their files change under the same URL, so that a hash would break the page;
 * and hosts of site builders, whose markup the site's owner cannot change.
 */
const changing = [
  // Payment, captchas and login
  ...['js.stripe.com', 'checkout.stripe.com', 'paypal.com', 'paypalobjects.com', 'squarecdn.com'],
  'adyen.com',
  ...['js.braintreegateway.com', 'pay.google.com', 'cdn-apple.com', 'recaptcha.net', 'hcaptcha.com'],
  ...['challenges.cloudflare.com', 'friendlycaptcha.com', 'google.com', 'apis.google.com', 'gstatic.com'],
  // Maps, fonts, videos and social media posts
  ...['maps.googleapis.com', 'fonts.googleapis.com', 'use.typekit.net', 'p.typekit.net', 'fonts.bunny.net'],
  ...['fast.fonts.net', 'kit.fontawesome.com', 'youtube.com', 'youtube-nocookie.com', 'vimeo.com'],
  ...['platform.twitter.com', 'platform.linkedin.com', 'instagram.com'],
  // Consent and accessibility
  ...['cookielaw.org', 'onetrust.com', 'cookiebot.com', 'cookiebot.eu', 'usercentrics.eu', 'iubenda.com'],
  ...['cookieyes.com', 'cdn-cookieyes.com', 'termly.io', 'didomi.io', 'privacy-center.org', 'quantcast.com'],
  ...['consentmanager.net', 'axept.io', 'trustarc.com', 'osano.com', 'privacy-mgmt.com', 'userway.org'],
  ...['acsbapp.com', 'eye-able.com'],
  // Analytics and advertising
  ...['googletagmanager.com', 'google-analytics.com', 'googlesyndication.com', 'googleadservices.com'],
  ...['googleoptimize.com', 'static.cloudflareinsights.com', 'plausible.io', 'usefathom.com', 'matomo.cloud'],
  ...['connect.facebook.net', 'bat.bing.com', 'snap.licdn.com', 'analytics.tiktok.com', 'hotjar.com'],
  ...['clarity.ms', 'stats.wp.com', 'js.sentry-cdn.com', 'newrelic.com', 'cdn.segment.com', 'posthog.com'],
  // Chats, forms and appointments
  ...['intercom.io', 'intercomcdn.com', 'hs-scripts.com', 'hsforms.net', 'hs-analytics.net', 'hs-banner.com'],
  ...['static.zdassets.com', 'embed.tawk.to', 'client.crisp.chat', 'js.driftt.com', 'livechatinc.com'],
  ...['userlike-cdn-widgets.s3-eu-west-1.amazonaws.com', 'assets.calendly.com', 'embed.typeform.com'],
  ...['form.jotform.com', 'mailchimp.com', 'list-manage.com', 'doctolib.fr', 'doctolib.de', 'zocdoc.com'],
  // Site builders
  ...['cdn.shopify.com', 'parastorage.com', 'wixstatic.com', 'squarespace.com', 'squarespace-cdn.com'],
  ...['website-files.com', 'webflow.com', 'c0.wp.com', 's0.wp.com', 's1.wp.com', 's2.wp.com'],
  'framerusercontent.com',
  ...['editmysite.com', 'jimcdn.com', 'website-start.de', 'duda.co', 'multiscreensite.com', 'hubspot.com'],
];

/** Domains, with their subdomains, that were sold or taken over and have served malicious scripts since. */
const takenOver = [
  ...['polyfill.io', 'polyfill.com', 'polyfillcache.com', 'bootcss.com', 'bootcdn.net', 'staticfile.net'],
  ...['staticfile.org', 'unionadjs.com', 'xhsbpza.com', 'macoms.la', 'newcrbpc.com'],
];

const isBelow = (hostname: string, name: string) => hostname === name || hostname.endsWith(`.${name}`);

/** The domain that was taken over and contains the host, or null. */
export function takenOverName(hostname: string): string | null {
  return takenOver.find(name => isBelow(hostname, name)) ?? null;
}

export function isChanging(hostname: string): boolean {
  return changing.some(name => isBelow(hostname, name));
}

/** Hosts of other sites from which the page loads scripts or style sheets without a hash, by kind. */
export function hostsWithoutIntegrity(page: string, { resources }: Markup) {
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

/** The registrable domain; IP addresses and names without one are returned as they are. */
export function siteOf(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
