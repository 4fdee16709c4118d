import type { MethodFacts, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, home, notSeen, optionsAnswer, seen } from '../hardened-capture.ts';

const withMethods = (changes: Partial<MethodFacts>) =>
  captureWith({
    methods: seen({
      url: home,
      options: seen(optionsAnswer('GET, HEAD')),
      trace: seen({ status: 405, echoes: false }),
      ...changes,
    }),
  });

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'a hardened site', capture: captureWith(), expected: [] },
  {
    name: 'TRACE that returns the request',
    capture: withMethods({ trace: seen({ status: 200, echoes: true }) }),
    expected: [{ check: 'methods.trace_enabled', locator: 'https://portal.example.com' }],
  },
  {
    name: 'TRACE answered with the page, like any method in some applications',
    capture: withMethods({ trace: seen({ status: 200, echoes: false }) }),
    expected: [],
  },
  {
    name: 'an error page that shows the request',
    capture: withMethods({ trace: seen({ status: 500, echoes: true }) }),
    expected: [],
  },
  {
    name: 'WebDAV',
    capture: withMethods({
      options: seen(
        optionsAnswer('OPTIONS,GET,HEAD,POST,DELETE,TRACE,PROPFIND,PROPPATCH,COPY,MOVE,LOCK,UNLOCK'),
      ),
    }),
    expected: [{ check: 'methods.write_methods_offered', locator: 'https://portal.example.com/' }],
  },
  {
    name: 'a framework that lists its usual methods for any URL',
    capture: withMethods({ options: seen(optionsAnswer('GET,HEAD,PUT,PATCH,POST,DELETE')) }),
    expected: [],
  },
  {
    name: 'a response without a list',
    capture: withMethods({ options: seen(optionsAnswer('MKCOL-ish <b>, *')) }),
    expected: [],
  },
  {
    name: 'a server without responses',
    capture: withMethods({ options: notSeen(), trace: notSeen() }),
    expected: [],
    notAssessed: ['methods.trace_enabled', 'methods.write_methods_offered'],
  },
  {
    name: 'a safe scan',
    capture: captureWith({ methods: notSeen('Only a full scan requests it.') }),
    expected: [],
    notAssessed: ['methods.trace_enabled', 'methods.write_methods_offered'],
  },
];
