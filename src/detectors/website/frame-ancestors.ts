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

/** Whether a source allows every site, on any port. */
export function allowsEverybody(source: string): boolean {
  return /^https?:$|^(?:https?:\/\/)?\*(?::(?:\*|\d{1,5}))?(?:\/|$)/.test(source);
}
