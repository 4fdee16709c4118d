type Attributes = Readonly<Record<string, string>>;

/**
 * Whether a script element runs for every visitor, at once or later: caches and page optimizers delay scripts with
 * their own types, usually ending with the real type (`x-text/javascript`, `litespeed/javascript`).
 */
export function isRunnable(attributes: Attributes): boolean {
  const type = typeOf(attributes);
  if (held.has(type)) return false;
  return type === '' || type === 'module' || delayed.has(type) || /(?:java|ecma|j|live)script/.test(type);
}

const typeOf = ({ type }: Attributes) => (type ?? '').trim().toLowerCase();

/** Types of WP Rocket, Perfmatters, FlyingPress, Autoptimize and Partytown. */
const delayed = new Set([
  ...['rocketlazyloadscript', 'pmdelayedscript', 'flyingpress/script', 'lazyload', 'text/lazyload'],
  ...['text/partytown', 'nitropack/inlinescript'],
]);

/** Types that consent tools set to block a script until the visitor agrees. */
const held = new Set(['text/plain', 'didomi/javascript', 'javascript/blocked', 'opt-in']);

/** Syntax highlighters show code from scripts of type text/plain, and name its language in the class. */
export function isHeld(attributes: Attributes): boolean {
  return held.has(typeOf(attributes)) && !/\blang(?:uage)?-/.test(attributes.class ?? '');
}

/** The URL of a script: delaying and blocking tools move it to their own attribute. */
export function sourceOf(attributes: Attributes): string | undefined {
  if (attributes.src !== undefined) return attributes.src;
  if (['', 'text/javascript', 'module'].includes(typeOf(attributes))) return undefined;
  return keptSources.map(name => attributes[name]).find(source => source !== undefined);
}

const keptSources = ['data-src', 'data-rocket-src', 'data-cmplz-src', 'data-litespeed-src', 'data-pm-src'];
