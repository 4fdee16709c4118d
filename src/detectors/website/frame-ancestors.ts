import type { HttpResponse } from '../../captures/website.ts';
import { directivesOf, separatePolicies } from './policy-directives.ts';
import { headerValues } from './response.ts';

/**
 * The frame-ancestors sources of each policy that has the directive, in lowercase. Meta elements cannot have
 * it.
 */
export function frameAncestors(page: HttpResponse): string[][] {
  return separatePolicies(headerValues(page, 'content-security-policy')).flatMap(policy => {
    const sources = directivesOf(policy.toLowerCase()).get('frame-ancestors');
    return sources === undefined ? [] : [[...sources]];
  });
}

/** The values of X-Frame-Options, in lowercase. */
export const frameOptions = (page: HttpResponse): string[] =>
  headerValues(page, 'x-frame-options')
    .flatMap(value => value.split(','))
    .map(value => value.trim().toLowerCase());

const knownOptions = new Set(['deny', 'sameorigin', 'allowall']);

/**
 * Whether X-Frame-Options restricts framing where no policy has frame-ancestors. Browsers treat different values as DENY if they know one
 * of them (HTML, 7.5).
 */
export function obeysFrameOptions(page: HttpResponse): boolean {
  const options = new Set(frameOptions(page));
  if (options.size > 1) return [...options].some(option => knownOptions.has(option));
  return options.has('deny') || options.has('sameorigin');
}

/** Whether a source allows every site, on any port. */
export function allowsEverybody(source: string): boolean {
  return /^https?:$|^(?:https?:\/\/)?\*(?::(?:\*|\d{1,5}))?(?:\/|$)/.test(source);
}
