type Attributes = Readonly<Record<string, string>>;

/**
 * Whether a script element runs for every visitor, if not at once: caches and optimizers of pages delay scripts by a type of
 * their own, most with the true type behind something (`x-text/javascript`, `litespeed/javascript`).
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

/** Types by which consent tools keep a script from running until the visitor agrees. */
const held = new Set(['text/plain', 'didomi/javascript', 'javascript/blocked', 'opt-in']);

/** Highlighters show code that stands in a script of plain text, and say in its class which language it is. */
export function isHeld(attributes: Attributes): boolean {
  return held.has(typeOf(attributes)) && !/\blang(?:uage)?-/.test(attributes.class ?? '');
}

/** Where a script comes from, if not at once: what delays or holds it keeps the address in an attribute of its own. */
export function sourceOf(attributes: Attributes): string | undefined {
  if (attributes.src !== undefined) return attributes.src;
  if (['', 'text/javascript', 'module'].includes(typeOf(attributes))) return undefined;
  return keptSources.map(name => attributes[name]).find(source => source !== undefined);
}

const keptSources = ['data-src', 'data-rocket-src', 'data-cmplz-src', 'data-litespeed-src', 'data-pm-src'];
