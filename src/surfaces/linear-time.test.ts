import { describe, expect, it } from 'vitest';
import { type Bound, superlinear } from '../../test/support/growth.ts';
import { hostileTexts, repeated } from '../../test/support/hostile-texts.ts';
import { detectorsFor } from '../detectors/catalogue.ts';
import * as postgres from '../detectors/postgres/hardened-evidence.ts';
import { projectWith } from '../detectors/supabase/hardened-evidence.ts';
import { evidenceWith, home, navigation, response, seen } from '../detectors/website/hardened-evidence.ts';
import { reflectedAs } from '../detectors/website/reflection/reflected-as.ts';
import { PageAddresses, parseUrl } from '../evidence/page-addresses.ts';
import { parameterAt } from '../evidence/places.ts';
import { readTags } from '../evidence/read-tags.ts';
import type { HttpResponse } from '../evidence/website.ts';
import { parseAddress, parseHost } from './address.ts';
import { parseAuthority } from './database/authority.ts';
import { parseDsn } from './database/dsn.ts';
import { Packets } from './mysql/packets.ts';
import { readAccounts, readUsers, readVariables } from './mysql/read-rows.ts';
import { BackendMessages } from './postgres/backend-messages.ts';
import { conditionOf } from './postgres/policy-condition.ts';
import { readBuckets, readRights, readSignUp, readTables } from './supabase/read-answers.ts';
import { createRedaction } from './website/credential.ts';
import { dnsQuery, parseDnsAnswer } from './website/dns-message.ts';
import { redirectTarget } from './website/navigate.ts';
import { pathsOfPage } from './website/paths-of-page.ts';
import { reachOf } from './website/reach.ts';
import { probeReflection } from './website/reflection.ts';
import { isAllowed, rulesFor } from './website/robots.ts';
import { collectScripts } from './website/scripts.ts';
import { parseWebsiteHost } from './website/target.ts';

/**
 * Whatever reads a target's bytes takes time that grows with them and no faster, also where two parts of them are
 * compared with each other: a long one and many.
 */

const kilobyte = 1024;
const html = [['content-type', 'text/html']] as const;
const maxHeader = 32 * kilobyte;
const nobody = { request: () => Promise.reject(new Error('nothing is asked')) } as never;
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

/** What is done with a page, but for asking. Surfaces do less with it: of more it is seen sooner what is not linear. */
const pageReaders: Record<string, Reader> = {
  surfaces: {
    read(page) {
      const { sourceMaps, directories } = reachOf('portal.example.com', 'full');
      pathsOfPage(page, origin, { sourceMaps, directories });
      void collectScripts(nobody, page, null, 0);
      probeReflection(nobody, page, null, undefined).catch(() => {});
    },
    kilobytes: 1_000,
    bound: { within: 1_200, noise: 150 },
  },
  detectors: {
    read(page) {
      reflectedAs(page.body, ['pabc', 'pdef']);
      const scripts = seen([{ url: `${home}a.js`, response: seen(page) }]);
      const evidence = evidenceWith({ page: seen(page), https: navigation(page), scripts });
      for (const detector of detectorsFor('website')) detector.detect(evidence);
    },
    kilobytes: 200,
    bound: { within: 1_500, noise: 150 },
  },
};

/** Parts of a page of which there is one long one. */
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

/** Parts of which there are many. */
const many: readonly string[] = [
  '<img src=a>',
  '<img srcset="a 1x,b 2x">',
  '<script src=/a.js></script>',
  '<link rel=stylesheet href=a>',
  '<a href="b?c=d">e</a>',
  '<a href="?a=1" target=_blank rel=opener>',
  '<form action=f><input name=email><input type=hidden name=g value=h></form>',
  '<input type=hidden name=a value=b>',
  '<textarea name=a>',
  '<base href=b>',
  '<script>jQuery v1.1.1;gtag(</script>',
  '<meta http-equiv=content-security-policy content="script-src a">',
  '<!-- 10.0.0.1 -->',
  '10.0.0.1 ',
  '<p a b c>',
  '&amp;',
  '</form>',
  '<script src="https://cdn.jsdelivr.net/combine/npm/jquery@1.1.1,npm/lodash@1.1.1"></script>',
  '<img src="//ä.example/">',
  '<a href="https://a.example:x/">',
];

const pairs = Object.keys(pageReaders).flatMap(reader =>
  Object.keys(long).map(part => [reader, part] as const),
);

describe('a page with one long part and many short ones', () => {
  it.each(pairs)('%s: %s', { timeout: 120_000 }, (by, of) => {
    const { read, kilobytes, bound } = pageReaders[by]!;
    const slow = many.flatMap(unit => {
      const problem = superlinear(share => {
        const text = repeated('ab', (kilobytes / 2) * kilobyte * share);
        const { url, headers, body } = { url: '', headers: html, body: '', ...long[of]!(text) };
        const page = response(url === '' ? home : url.slice(0, maxHeader * share), {
          // The client reads no more of header fields.
          headers: headers.map(([field, value]) => [field, value.slice(0, maxHeader * share)] as const),
          body: `${body}${repeated(unit, (kilobytes / 2) * kilobyte * share)}`,
        });
        return () => read(page);
      }, bound);
      return problem ? [`${unit}: ${problem}`] : [];
    });
    expect(slow).toEqual([]);
  });
});

const responseWith = (changes: Partial<HttpResponse>) => response(home, { headers: html, ...changes });

/** Everything that reads a text of a target, by what it is given. */
const readers: Record<string, (text: string) => unknown> = {
  parseHost,
  parseAddress,
  parseWebsiteHost,
  parseUrl: text => [parseUrl(text), parseUrl(`https://${text}/`), parseUrl(`/${text}`, home)],
  PageAddresses: text => {
    const addresses = new PageAddresses(home);
    addresses.setBase(text);
    for (const part of text.split(' ', 5_000)) addresses.resolve(part);
  },
  parameterAt,
  readTags: text => readTags(text, { onOpen: () => {}, onText: () => {}, onClose: () => {} }),
  redirectTarget: text => redirectTarget(responseWith({ status: 302, headers: [['location', text]] })),
  rulesFor: text => rulesFor('parapet', `User-agent: parapet\nDisallow: /${text}`),
  'rulesFor, many': text => rulesFor('parapet', `User-agent: parapet\n${text}`),
  isAllowed: text => {
    const [half, path] = [text.slice(0, text.length / 2), text.slice(text.length / 2).slice(0, 8_192)];
    const lines = half.match(/.{1,2000}/gs)?.map(part => `Disallow: /*${part}`) ?? [];
    const rules = rulesFor('parapet', `User-agent: parapet\n${lines.slice(0, 500).join('\n')}`);
    if (rules !== null) isAllowed(rules, `/${path}`);
  },
  createRedaction: text => createRedaction({ type: 'basic', username: 'aaaa', password: 'aaaa' })(text),
  parseAuthority: text => parseAuthority(text, 1),
  parseDsn: text => parseDsn(text, { schemes: ['a'], defaultPort: 1 }),
  'parseDsn, a password': text => parseDsn(`a://b:${text}@c/d`, { schemes: ['a'], defaultPort: 1 }),
  conditionOf,
  readVariables: text => readVariables([{ Variable_name: text, Value: text }]),
  readAccounts: text => readAccounts([{ user: text, host: text, log_ins: text, privileges: text }]),
  readUsers: text => readUsers([{ user: text }]),
  readBuckets: text => readBuckets([{ name: text, allowed_mime_types: [text] }]),
  readTables: text => readTables({ swagger: '2.0', paths: { [`/${text}`]: { get: {} } } }),
  readSignUp,
  'the detectors of websites, headers': text => {
    const value = text.slice(0, 32_768);
    const names = [
      'server',
      'via',
      'set-cookie',
      'content-security-policy',
      'strict-transport-security',
      'location',
      'x-debug',
    ];
    const page = responseWith({ headers: [...html, ...names.map(name => [name, value] as const)] });
    const evidence = evidenceWith({ page: seen(page), https: navigation(page), http: navigation(page) });
    for (const detector of detectorsFor('website')) detector.detect(evidence);
  },
  'the detectors of PostgreSQL': text => {
    const value = text.slice(0, 20_000);
    const policy = postgres.policy({ schema: value, relation: value, name: value, roles: [value] });
    const evidence = postgres.evidenceWith({
      policies: postgres.listed(policy),
      relations: postgres.listed(postgres.relation({ schema: value, name: value })),
      hba_rules: postgres.listed(postgres.hbaRule({ users: [value], databases: [value], address: value })),
      roles: postgres.listed(postgres.role(value, { superuser: true })),
    });
    for (const detector of detectorsFor('postgres')) detector.detect(evidence);
  },
  'the detectors of Supabase': text => {
    const value = text.slice(0, 200);
    const evidence = projectWith({
      tables: seen({ list: [{ name: value, columns: [value] }], truncated: false }),
      buckets: seen([{ name: value, public: true, allowed_mime_types: [value] }]),
    });
    for (const detector of detectorsFor('supabase')) detector.detect(evidence);
  },
};

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
  it.each(Object.entries(readers))('%s', { timeout: 120_000 }, (_, read) => {
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
      // One is enough to see what is wrong.
      if (slow.length > 0) break;
    }
    expect(slow).toEqual([]);
  });
});

const rows = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const name = (length: number, index = 0) => `${'a'.repeat(length)}${index}`;

describe('many rows of a database', () => {
  const detect = (evidence: ReturnType<typeof postgres.evidenceWith>) => () => {
    for (const detector of detectorsFor('postgres')) detector.detect(evidence);
  };
  it.each<[string, (count: number) => () => void]>([
    [
      'policies, restrictive ones and columns of one table',
      count => {
        const policies = rows(count, index =>
          postgres.policy({
            name: `p${index}`,
            schema: name(500),
            permissive: index % 2 === 0,
            using: index % 2 === 0 ? 'always_true' : 'other',
            command: 'all',
            roles: ['anon'],
          }),
        );
        const { schema, relation } = policies[0]!;
        const columns = rows(count, index => ({
          schema,
          relation,
          name: `ssn_${index}`,
          readers: ['PUBLIC', 'anon'],
        }));
        return detect(
          postgres.evidenceWith({
            policies: postgres.listed(...policies),
            columns: postgres.listed(...columns),
            relations: postgres.listed(
              ...rows(count, () => postgres.relation({ schema, name: relation, row_security: true })),
            ),
          }),
        );
      },
    ],
    [
      'superusers and rules for each',
      count =>
        detect(
          postgres.evidenceWith({
            roles: postgres.listed(
              ...rows(count, index =>
                postgres.role(`r${index}`, {
                  ...postgres.superuser,
                  can_log_in: true,
                  member_of: rows(20, at => `g${at}`),
                }),
              ),
            ),
            hba_rules: postgres.listed(
              ...rows(count, () =>
                postgres.hbaRule({
                  type: 'host',
                  users: ['all', ...rows(20, at => `+g${at}`)],
                  address: 'all',
                  method: 'md5',
                }),
              ),
            ),
          }),
        ),
    ],
    [
      'grants and policies of postgres-meta',
      count => {
        const table = { schema: name(300), name: name(300) };
        const tables = rows(count, () => table);
        const privileges = rows(count, () => ({
          ...table,
          privileges: [{ grantee: 'anon', privilege_type: 'INSERT' }],
        }));
        const policies = rows(count, () => ({
          schema: table.schema,
          table: table.name,
          roles: ['anon'],
          action: 'PERMISSIVE',
        }));
        return () => void readRights(tables, privileges, policies);
      },
    ],
    [
      'tables of a REST API',
      count => {
        const names = rows(count, index => `t${index}`);
        const paths = Object.fromEntries(names.map(table => [`/${table}`, { get: {} }]));
        const definitions = Object.fromEntries(names.map(table => [table, { properties: { a: {}, b: {} } }]));
        return () => void readTables({ swagger: '2.0', paths, definitions });
      },
    ],
  ])('%s', { timeout: 120_000 }, (_, of) => {
    expect(superlinear(share => of(4_000 * share), { within: 2_000, noise: 150 })).toBe(undefined);
  });
});

it('compares many rules of a robots.txt with a long path', { timeout: 120_000 }, () => {
  const of = (pattern: string) => (share: number) => {
    const rule = { allow: false, pattern: pattern.replace('A', repeated('a', 2_000 * share)) };
    const rules = rows(500, () => rule);
    return () => void isAllowed(rules, `/${repeated('a', 8_000 * share)}`);
  };
  for (const pattern of ['/*bA', '/*Ab', '/*AbA', '/*A*b$', '/*Ab*A']) {
    expect(superlinear(of(pattern), { within: 400, noise: 30 }), pattern).toBe(undefined);
  }
});

describe('packets', () => {
  it.each<[string, (length: number) => () => void]>([
    [
      'of MySQL, byte by byte',
      length => () => {
        const packets = new Packets({ tls: false });
        const header = Buffer.alloc(4);
        header.writeUIntLE(60_000, 0, 3);
        packets.receive(header);
        for (let at = 0; at < Math.min(length, 59_999); at++) packets.receive(Buffer.of(0));
      },
    ],
    [
      'of PostgreSQL, byte by byte',
      length => () => {
        const messages = new BackendMessages(false);
        const header = Buffer.from([0x44, 0, 0, 0, 0]);
        header.writeUInt32BE(60_000, 1);
        messages.receive(header);
        for (let at = 0; at < Math.min(length, 59_990); at++) messages.receive(Buffer.of(0));
      },
    ],
    [
      'of a name server, whose names are pointers to pointers',
      length => {
        const query = dnsQuery('a.example', 43);
        const chain = Math.floor(length / 3);
        const records = Math.floor((length - 2 * chain) / 12);
        const message = Buffer.alloc(query.bytes.length + 2 * chain + 12 * records);
        query.bytes.copy(message);
        message[2] = 0x80;
        message.writeUInt16BE(records, 6);
        return quiet(() => parseDnsAnswer(message, query));
      },
    ],
  ])('%s', { timeout: 120_000 }, (_, of) => {
    expect(superlinear(share => of(60_000 * share), { within: 1_000, noise: 60 })).toBe(undefined);
  });
});
