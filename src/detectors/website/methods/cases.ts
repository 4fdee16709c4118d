import type { MethodFacts, WebsiteEvidence } from '../../../evidence/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { evidenceWith, home, notSeen, optionsAnswer, seen } from '../hardened-evidence.ts';

const withMethods = (changes: Partial<MethodFacts>) =>
  evidenceWith({
    methods: seen({
      url: home,
      options: seen(optionsAnswer('GET, HEAD')),
      trace: seen({ status: 405, echoes: false }),
      ...changes,
    }),
  });

export const cases: readonly GoldenCase<WebsiteEvidence>[] = [
  { name: 'a hardened site', evidence: evidenceWith(), expected: [] },
  {
    name: 'TRACE that gives the request back',
    evidence: withMethods({ trace: seen({ status: 200, echoes: true }) }),
    expected: [{ check: 'methods.trace_enabled', locator: 'https://portal.example.com' }],
  },
  {
    name: 'TRACE answered with the page, as some applications answer everything',
    evidence: withMethods({ trace: seen({ status: 200, echoes: false }) }),
    expected: [],
  },
  {
    name: 'an error page that prints the request',
    evidence: withMethods({ trace: seen({ status: 500, echoes: true }) }),
    expected: [],
  },
  {
    name: 'WebDAV',
    evidence: withMethods({
      options: seen(
        optionsAnswer('OPTIONS,GET,HEAD,POST,DELETE,TRACE,PROPFIND,PROPPATCH,COPY,MOVE,LOCK,UNLOCK'),
      ),
    }),
    expected: [{ check: 'methods.write_methods_offered', locator: 'https://portal.example.com/' }],
  },
  {
    name: 'a framework that names its usual methods for any address',
    evidence: withMethods({ options: seen(optionsAnswer('GET,HEAD,PUT,PATCH,POST,DELETE')) }),
    expected: [],
  },
  {
    name: 'an answer that is no list',
    evidence: withMethods({ options: seen(optionsAnswer('MKCOL-ish <b>, *')) }),
    expected: [],
  },
  {
    name: 'a server that answers neither',
    evidence: withMethods({ options: notSeen(), trace: notSeen() }),
    expected: [],
    notAssessed: ['methods.trace_enabled', 'methods.write_methods_offered'],
  },
  {
    name: 'a safe scan',
    evidence: evidenceWith({ methods: notSeen('Only a full scan asks for it.') }),
    expected: [],
    notAssessed: ['methods.trace_enabled', 'methods.write_methods_offered'],
  },
];
