import { flawsOf } from './flaws.ts';
import { node } from './node.ts';
import { proveFixes } from './prove.ts';

proveFixes(node, {
  ...flawsOf(node),
  'tls.legacy_protocol': {},
  'tls.weak_cipher': { certificate: 'rsa' },
  'tls.weak_key': { certificate: 'short key' },
  'tls.weak_signature': { certificate: 'old hash' },
  'exposure.graphql_introspection': { unproven: 'Apollo Server is not installed in the tests.' },
});
