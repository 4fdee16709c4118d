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

/** Whether browsers obey X-Frame-Options where no policy has frame-ancestors: all values must be the same known one. */
export function obeysFrameOptions(page: HttpResponse): boolean {
  const options = frameOptions(page);
  return /^(?:deny|sameorigin)$/.test(options[0] ?? '') && new Set(options).size === 1;
}

/** Whether a source allows every site, on any port. */
export function allowsEverybody(source: string): boolean {
  return /^https?:$|^(?:https?:\/\/)?\*(?::(?:\*|\d{1,5}))?(?:\/|$)/.test(source);
}
