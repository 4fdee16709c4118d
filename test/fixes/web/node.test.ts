import { flawed, flawsOf } from './flaws.ts';
import { node } from './node.ts';
import { type Flaw, proveFixes } from './prove.ts';

const files = "cert: readFileSync('site.crt'), key: readFileSync('site.key')";
const server = (options: string, certificate: NonNullable<Flaw['certificate']>) =>
  flawed(
    {
      'node.file': `const { readFileSync } = require('node:fs');
require('node:https').createServer({ ${files}, ${options} }, app).listen(443);`,
    },
    { certificate },
  );

proveFixes(node, {
  ...flawsOf(node),
  'tls.legacy_protocol': server("minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0'", 'good'),
  'tls.weak_cipher': server("ciphers: 'AES128-SHA'", 'rsa'),
  'tls.weak_key': server("ciphers: 'DEFAULT@SECLEVEL=0'", 'short key'),
  'tls.weak_signature': server("ciphers: 'DEFAULT@SECLEVEL=0'", 'old hash'),
  'exposure.graphql_introspection': { unproven: 'Apollo Server is not among the packages of the tests.' },
});
