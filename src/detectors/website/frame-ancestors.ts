import type { HttpResponse } from '../../captures/website.ts';
import { directivesOf, separatePolicies } from './policy-directives.ts';
import { headerValues } from './response.ts';

/** The sources of the frame-ancestors of each policy that has one, in lower case. A meta element cannot have the directive. */
export function frameAncestors(page: HttpResponse): string[][] {
  return separatePolicies(headerValues(page, 'content-security-policy')).flatMap(policy => {
    const sources = directivesOf(policy.toLowerCase()).get('frame-ancestors');
    return sources === undefined ? [] : [[...sources]];
  });
}

/** Whether a source allows sites of any name: on any port, or on one that everybody can use as well. */
export function allowsEverybody(source: string): boolean {
  return /^https?:$|^(?:https?:\/\/)?\*(?::(?:\*|\d{1,5}))?(?:\/|$)/.test(source);
}
