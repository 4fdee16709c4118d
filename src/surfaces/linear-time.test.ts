import { describe, expect, it } from 'vitest';
import { type Bound, superlinear, superlinearWhenDone } from '../../test/support/growth.ts';
import { hostileTexts, repeated } from '../../test/support/hostile-texts.ts';
import { pageParts } from '../../test/support/page-parts.ts';
import { sizedReaders } from '../../test/support/row-readers.ts';
import { textReaders } from '../../test/support/text-readers.ts';
import type { HttpResponse } from '../captures/website.ts';
import { detectorsFor } from '../detectors/catalogue.ts';
import { captureWith, home, navigation, response, seen } from '../detectors/website/hardened-capture.ts';
import { reflectedAs } from '../detectors/website/reflection/reflected-as.ts';
import { ImportMap } from './website/import-map.ts';
import { pathsOfPage } from './website/paths-of-page.ts';
import { reachOf } from './website/reach.ts';
import { probeReflection } from './website/reflection.ts';
import { isAllowed, namedPaths, rulesFor } from './website/robots.ts';
import { referencesIn } from './website/script-references.ts';
import { collectScripts } from './website/scripts.ts';
import { originalsOf } from './website/source-map.ts';
import { styleSheetsOf } from './website/style-sheets.ts';
import { technologiesOf } from './website/technologies.ts';

/**
 * Code that reads a target's bytes takes linear time, even when it compares two parts of them: a long one and many
 * short ones.
 */

const kilobyte = 1024;
const html = [['content-type', 'text/html']] as const;
const maxHeader = 32 * kilobyte;
const noClient = { request: () => Promise.reject(new Error('nothing is requested')) } as never;
const origin = new URL(home).origin;

const quiet = (work: () => unknown) => () => {
  try {
    work();
  } catch {
    // Refusing is as good as reading, if it is as fast.
  }
};

interface Reader {
  readonly read: (page: HttpResponse) => void;
  readonly kilobytes: number;
  readonly bound: Bound;
}

/** All processing of a page except requests. Surfaces do less with it; more work shows sooner what is not linear. */
const pageReaders: Record<string, Reader> = {
  surfaces: {
    read(page) {
      const reach = reachOf('portal.example.com', 'full');
      pathsOfPage(page, [{ url: page.url, response: { assessed: true, value: page } }], origin, reach);
      styleSheetsOf(page);
      technologiesOf([page]);
      namedPaths(page.body);
      originalsOf(page.body);
      referencesIn(page.body, new URL(page.url), new ImportMap(), true);
      referencesIn(page.body, new URL(page.url), new ImportMap());
      void collectScripts(noClient, page, null, { ...reach, scripts: 0 });
      probeReflection(noClient, page, null, undefined).catch(() => {});
    },
    kilobytes: 500,
    bound: { within: 1_200, noise: 150 },
  },
  detectors: {
    read(page) {
      reflectedAs(page.body, ['pabc', 'pdef']);
      const scripts = seen([{ url: `${home}a.js`, response: seen(page) }]);
      const capture = captureWith({ page: seen(page), https: navigation(page), scripts });
      for (const detector of detectorsFor('website')) detector.detect(capture);
    },
    kilobytes: 100,
    bound: { within: 1_500, noise: 150 },
  },
};

/** Long parts of a page, one at a time. */
const long: Record<string, (text: string) => Partial<HttpResponse>> = {
  base: text => ({ body: `<base href="/${text}/">` }),
  'base of another site': text => ({ body: `<base href="https://a.example/${text}/">` }),
  'address of the page': text => ({ url: `${home}${text}` }),
  attribute: text => ({ body: `<p class="${text}">` }),
  'name of an attribute': text => ({ body: `<p ${text}>` }),
  'name of a tag': text => ({ body: `<${text}>` }),
  text: text => ({ body: text }),
  comment: text => ({ body: `<!--${text}-->` }),
  script: text => ({ body: `<script>${text}</script>` }),
  'form action': text => ({ body: `<form action="?${text}">` }),
  link: text => ({ body: `<a href="?${text}">` }),
  policy: text => ({ body: `<meta http-equiv=content-security-policy content="script-src ${text}">` }),
  'content type': text => ({ headers: [['content-type', `text/html; a=${text}`]] }),
  'location and cookie': text => ({ headers: [...html, ['location', text], ['set-cookie', `a=${text}`]] }),
  'nothing long': () => ({}),
};

const pairs = Object.keys(pageReaders).flatMap(reader =>
  Object.keys(long).map(part => [reader, part] as const),
);

describe('a page with one long part and many short ones', () => {
  it.each(pairs)('is read in linear time by %s: %s', { timeout: 120_000 }, (by, of) => {
    const { read, kilobytes, bound } = pageReaders[by]!;
    const slow: string[] = [];
    for (const unit of pageParts) {
      const problem = superlinear(share => {
        const text = repeated('ab', (kilobytes / 2) * kilobyte * share);
        const { url, headers, body } = { url: '', headers: html, body: '', ...long[of]!(text) };
        const page = response(url === '' ? home : url.slice(0, maxHeader * share), {
          // The client reads no more header fields.
          headers: headers.map(([field, value]) => [field, value.slice(0, maxHeader * share)] as const),
          body: `${body}${repeated(unit, (kilobytes / 2) * kilobyte * share)}`,
        });
        return () => read(page);
      }, bound);
      if (problem) slow.push(`${unit}: ${problem}`);
      // One slow part is enough to fail, and each takes long then.
      if (slow.length > 0) break;
    }
    expect(slow).toEqual([]);
  });
});

describe('a hostile text', () => {
  const texts = hostileTexts(40, [
    'Disallow: /*a\n',
    'https://',
    '10.0.0.1',
    'v=',
    '(a OR ',
    "'a' = ",
    'max-age=1;',
    '1.1',
  ]);
  it.each(Object.entries(textReaders))('%s', { timeout: 120_000 }, (_, read) => {
    const slow: string[] = [];
    for (const text of texts) {
      const problem = superlinear(
        share => {
          const input = text.of(64 * kilobyte * share);
          return quiet(() => read(input));
        },
        { within: 400, noise: 40 },
      );
      if (problem) slow.push(`${text.name}: ${problem}`);
      // One slow text is enough to fail.
      if (slow.length > 0) break;
    }
    expect(slow).toEqual([]);
  });
});

it.each(Object.entries(sizedReaders))('%s', { timeout: 120_000 }, async (_, of) => {
  const problem = await superlinearWhenDone(share => of(2_000_000 * share), {
    within: 3_000,
    noise: 150,
  });
  expect(problem).toBe(undefined);
});

it('compares many rules of a robots.txt with a long path', { timeout: 120_000 }, () => {
  const of = (pattern: string) => (share: number) => {
    const rule = { allow: false, pattern: pattern.replace('A', repeated('a', 2_000 * share)) };
    const rules = Array.from({ length: 500 }, () => rule);
    return () => void isAllowed(rules, `/${repeated('a', 8_000 * share)}`);
  };
  for (const pattern of ['/*bA', '/*Ab', '/*AbA', '/*A*b$', '/*Ab*A']) {
    // 5 million characters take some 30 ms, and an eighth of them too little to be measured exactly. A search at each
    // position would take seconds.
    expect(superlinear(of(pattern), { within: 400, noise: 100 }), pattern).toBe(undefined);
  }
});

/** With `indexOf`, a full scan of 600 such paths took more than a minute. */
it('reads a robots.txt of 16 KB of wildcards', { timeout: 120_000 }, () => {
  const requests = 10;
  for (const line of ['allow:*ab\n', 'allow:*aaaaab\n', 'allow:*ab*ab$\n']) {
    for (const bytes of [16 * kilobyte, 499 * line.length]) {
      const file = `User-agent: parapet\n${repeated(line, bytes)}`;
      const problem = superlinear(
        share => {
          const path = `/${repeated('a', 8_000 * share)}`;
          return () => {
            const rules = rulesFor('parapet', file);
            for (let time = 0; time < requests; time++) if (rules !== null) isAllowed(rules, path);
          };
        },
        { within: 1_500, noise: 30 },
      );
      expect(problem, `${bytes} bytes of ${line}`).toBe(undefined);
    }
  }
});
