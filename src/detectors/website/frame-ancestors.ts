import type { HttpResponse } from '../../evidence/website.ts';
import { headerValues } from './response.ts';

/** The sources of the frame-ancestors of each policy that has one, in lower case. A meta element cannot have the directive. */
export function frameAncestors(page: HttpResponse): string[][] {
  return headerValues(page, 'content-security-policy')
    .flatMap(value => value.toLowerCase().split(','))
    .flatMap(policy => {
      // Of a directive that is repeated, browsers follow the first.
      const first = policy
        .split(';')
        .map(directive => directive.split(/[\t\f ]+/).filter(word => word !== ''))
        .find(([name]) => name === 'frame-ancestors');
      return first === undefined ? [] : [first.slice(1)];
    });
}

/** Whether a source allows sites of any name: on any port, or on one that everybody can use as well. */
export function allowsEverybody(source: string): boolean {
  return /^https?:$|^(?:https?:\/\/)?\*(?::(?:\*|\d{1,5}))?(?:\/|$)/.test(source);
}
