import type { HttpResponse, PageScript } from '../../../captures/website.ts';
import { AnchorTable } from '../anchor-table.ts';
import { readMarkup } from '../markup.ts';
import { unreadReason } from '../response.ts';
import { type TrackerVendor, trackerVendors } from './tracker-vendors.ts';

/** A vendor, and how the page uses it. */
export interface SeenTracker {
  readonly vendor: TrackerVendor;
  /** `waiting`: a consent tool delays the script until the visitor agrees. */
  readonly how: 'loaded' | 'inline' | 'waiting';
  /** The host from which it is loaded; empty for inline snippets. */
  readonly host: string;
}

/** The vendors whose scripts, frames or pixels a page loads or whose snippet it runs, each once, and why some may be missing. */
export function trackersOf(page: HttpResponse): {
  readonly trackers: readonly SeenTracker[];
  readonly gap: string | null;
} {
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
  let isPartial = false;
  const addNamed = (script: string, how: 'inline' | 'waiting') => {
    const named = vendorsNamedIn(script);
    isPartial ||= named.isPartial;
    for (const vendor of named.vendors) {
      if (how === 'inline' || !found.has(vendor)) add({ vendor, how, host: '' });
    }
  };
  for (const script of inlineScripts) addNamed(script, 'inline');
  for (const script of heldScripts) addNamed(script, 'waiting');
  return { trackers: [...found.values()], gap: isPartial ? tooOften : null };
}

/** A script with more vendors than this only lists them, such as a consent tool or a blocker. */
const maxVendorsOfUse = 3;

/** The vendors that one of the site's own scripts would load, and why that is not certain, in a sentence. */
export function trackersOfScript({ response }: PageScript): {
  readonly vendors: readonly TrackerVendor[];
  readonly gap: string | null;
} {
  if (!response.assessed) return { vendors: [], gap: response.reason };
  const { vendors, isPartial } = vendorsNamedIn(response.value.body);
  if (vendors.length > maxVendorsOfUse) {
    return { vendors: [], gap: 'A script names many tracker vendors, so it may only list them.' };
  }
  if (response.value.body_truncated) return { vendors, gap: unreadReason('script') };
  return { vendors, gap: isPartial ? tooOften : null };
}

const tooOften = 'A script contains part of a tracker’s snippet too often to compare all of them.';

export function vendorOf(hostname: string, pathname: string): TrackerVendor | undefined {
  return trackerVendors.find(
    ({ key, places }) =>
      places.some(place => {
        const slash = place.indexOf('/');
        const host = slash === -1 ? place : place.slice(0, slash);
        if (hostname !== host && !hostname.endsWith(`.${host}`)) return false;
        // The pixel's script is under a language path; Sentry's bundles name their features.
        if (key === 'sentry') return pathname.includes('replay');
        if (slash === -1) return true;
        const path = place.slice(slash);
        return path.endsWith('/') ? pathname.startsWith(path) : pathname === path || pathname === `${path}/`;
      }) ||
      (key === 'meta' && hostname === 'connect.facebook.net' && pathname.endsWith('/fbevents.js')),
  );
}

/** Snippets are found by their first word, which is the same however the rest is spaced and quoted. */
const snippets = trackerVendors.flatMap(vendor =>
  vendor.snippets.map(snippet => ({ vendor, snippet, word: /[\w./-]+/.exec(snippet)?.[0] ?? snippet })),
);
const words = new AnchorTable<(typeof snippets)[number]>();
for (const snippet of snippets) words.add(snippet.word, snippet);

/** Limits: characters compared around a word, and occurrences compared of each word. */
const around = 100;
const maxOccurrences = 1_000;

function vendorsNamedIn(script: string): { vendors: TrackerVendor[]; isPartial: boolean } {
  let isPartial = false;
  const named = new Set<TrackerVendor>();
  const occurrences = new Map<string, number>();
  words.search(script, (at, snippets) => {
    const { word } = snippets[0]!;
    const count = occurrences.get(word) ?? 0;
    occurrences.set(word, count + 1);
    if (count < maxOccurrences) {
      const near = squeezed(script.slice(Math.max(0, at - around), at + word.length + around));
      for (const { vendor, snippet } of snippets) if (near.includes(snippet)) named.add(vendor);
    } else {
      isPartial ||= snippets.some(({ vendor }) => !named.has(vendor));
    }
    return null;
  });
  return { vendors: trackerVendors.filter(vendor => named.has(vendor)), isPartial };
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '').replace(/["`]/g, "'");
}
