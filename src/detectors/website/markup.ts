import { Parser } from 'htmlparser2';
import type { HttpResponse } from '../../evidence/website.ts';

interface MarkupResource {
  readonly element: string;
  /** Absolute URL. */
  readonly url: string;
  /** It can change the page (scripts, styles, frames, plugins), unlike images and media. */
  readonly active: boolean;
}

/** What detectors need of a document's markup. */
export interface Markup {
  readonly resources: readonly MarkupResource[];
  /** Absolute URLs that forms send to. */
  readonly formActions: readonly string[];
  readonly hasPasswordField: boolean;
  readonly links: readonly string[];
  /** Policies from `<meta http-equiv="Content-Security-Policy">`. */
  readonly policies: readonly string[];
  readonly declaresCharset: boolean;
  /** From `<meta name="referrer">`. */
  readonly referrerPolicy: string | null;
}

/** Attributes that load something: element, attribute, active. */
const loading: Record<string, { attribute: string; active: boolean }> = {
  script: { attribute: 'src', active: true },
  iframe: { attribute: 'src', active: true },
  frame: { attribute: 'src', active: true },
  object: { attribute: 'data', active: true },
  embed: { attribute: 'src', active: true },
  img: { attribute: 'src', active: false },
  audio: { attribute: 'src', active: false },
  video: { attribute: 'src', active: false },
  source: { attribute: 'src', active: false },
};

const maxEntries = 500;

/** Reads a document once, in time that grows with its length only. */
export function readMarkup(page: HttpResponse): Markup {
  const resources: MarkupResource[] = [];
  const formActions: string[] = [];
  const links: string[] = [];
  const policies: string[] = [];
  let hasPasswordField = false;
  let declaresCharset = false;
  let referrerPolicy: string | null = null;
  let base = page.url;

  const absolute = (reference: string | undefined): string | null =>
    reference !== undefined && URL.canParse(reference.trim(), base)
      ? new URL(reference.trim(), base).href
      : null;
  const add = <T>(list: T[], entry: T | null) => {
    if (entry !== null && list.length < maxEntries) list.push(entry);
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      const rule = Object.hasOwn(loading, name) ? loading[name] : undefined;
      const loaded = rule === undefined ? null : absolute(attributes[rule.attribute]);
      if (rule !== undefined && loaded !== null) {
        add(resources, { element: name, url: loaded, active: rule.active });
      }
      if (name === 'base') base = absolute(attributes.href) ?? base;
      if (name === 'a') add(links, absolute(attributes.href));
      if (name === 'form') add(formActions, absolute(attributes.action));
      if (name === 'input' && attributes.type?.toLowerCase() === 'password') hasPasswordField = true;
      if ((name === 'button' || name === 'input') && attributes.formaction !== undefined) {
        add(formActions, absolute(attributes.formaction));
      }
      if (name === 'link' && /\bstylesheet\b/i.test(attributes.rel ?? '')) {
        const url = absolute(attributes.href);
        add(resources, url === null ? null : { element: 'link', url, active: true });
      }
      if (name === 'meta') {
        const kind = (attributes['http-equiv'] ?? '').toLowerCase();
        const content = attributes.content ?? '';
        if (kind === 'content-security-policy') add(policies, content);
        if (attributes.charset !== undefined || (kind === 'content-type' && /charset=/i.test(content))) {
          declaresCharset = true;
        }
        if (attributes.name?.toLowerCase() === 'referrer') referrerPolicy = content;
      }
    },
  });
  parser.end(page.body);
  return { resources, formActions, hasPasswordField, links, policies, declaresCharset, referrerPolicy };
}
