import type { HttpResponse, PageScript } from '../../../evidence/website.ts';
import { readMarkup } from '../markup.ts';
import { type TrackerVendor, trackerVendors } from './tracker-vendors.ts';

/** A vendor, and how the page involves it. */
export interface SeenTracker {
  readonly vendor: TrackerVendor;
  /** `waiting`: a consent tool holds the script back until the visitor agrees. */
  readonly how: 'loaded' | 'inline' | 'waiting';
  /** The host that is asked; empty for inline snippets. */
  readonly host: string;
}

/** The vendors whose scripts, frames or pixels a page loads or whose snippet it runs, each once. */
export function trackersOf(page: HttpResponse): SeenTracker[] {
  const { resources, inlineScripts, heldScripts } = readMarkup(page);
  const found = new Map<TrackerVendor, SeenTracker>();
  const own = new URL(page.url).hostname;
  const add = (tracker: SeenTracker) => {
    const known = found.get(tracker.vendor);
    if (known === undefined || known.how === 'waiting') found.set(tracker.vendor, tracker);
  };
  for (const { url, loads } of resources) {
    const { hostname, pathname } = new URL(url);
    if (hostname === own) continue;
    const vendor = vendorOf(hostname, pathname);
    if (vendor !== undefined) add({ vendor, how: loads ? 'loaded' : 'waiting', host: hostname });
  }
  for (const script of inlineScripts) {
    for (const vendor of vendorsNamedIn(script)) {
      const known = found.get(vendor);
      if (known === undefined || known.how === 'waiting') add({ vendor, how: 'inline', host: '' });
    }
  }
  for (const script of heldScripts) {
    for (const vendor of vendorsNamedIn(script)) {
      if (!found.has(vendor)) add({ vendor, how: 'waiting', host: '' });
    }
  }
  return [...found.values()];
}

/** More vendors than this in one script are a list, such as a consent tool's or a blocker's, and no use of them. */
const maxVendorsOfUse = 3;

/** The vendors that one of the site's own scripts would load. */
export function trackersOfScript({ response }: PageScript): readonly TrackerVendor[] {
  if (!response.assessed) return [];
  const vendors = vendorsNamedIn(response.value.body);
  return vendors.length > maxVendorsOfUse ? [] : vendors;
}

function vendorOf(hostname: string, pathname: string): TrackerVendor | undefined {
  return trackerVendors.find(
    ({ key, places }) =>
      places.some(place => {
        const slash = place.indexOf('/');
        const host = slash === -1 ? place : place.slice(0, slash);
        if (hostname !== host && !hostname.endsWith(`.${host}`)) return false;
        // The pixel's script lies below a language; Sentry's bundles say in their name what they can do.
        if (key === 'sentry') return pathname.includes('replay');
        if (slash === -1) return true;
        const path = place.slice(slash);
        return path.endsWith('/') ? pathname.startsWith(path) : pathname === path || pathname === `${path}/`;
      }) ||
      (key === 'meta' && hostname === 'connect.facebook.net' && pathname.endsWith('/fbevents.js')),
  );
}

/** Each snippet with its first word, which stands in a script as it is, however the rest is spaced and quoted. */
const sought = trackerVendors.map(vendor => ({
  vendor,
  snippets: vendor.snippets.map(snippet => ({
    snippet,
    word: /[\w./-]+/.exec(snippet)?.[0] ?? snippet,
  })),
}));

/** More than this around a word is no spacing; more occurrences than this are no snippet. */
const around = 100;
const maxOccurrences = 1_000;

function vendorsNamedIn(script: string): TrackerVendor[] {
  return sought
    .filter(({ snippets }) => snippets.some(({ snippet, word }) => hasSnippet(script, snippet, word)))
    .map(({ vendor }) => vendor);
}

function hasSnippet(script: string, snippet: string, word: string): boolean {
  let at = script.indexOf(word);
  for (let seen = 0; at !== -1 && seen < maxOccurrences; seen += 1) {
    const near = script.slice(Math.max(0, at - around), at + word.length + around);
    if (near.replace(/\s+/g, '').replace(/["`]/g, "'").includes(snippet)) return true;
    at = script.indexOf(word, at + word.length);
  }
  return false;
}
