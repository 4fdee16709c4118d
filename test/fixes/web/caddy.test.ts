import { caddy } from './caddy.ts';
import { flawed, flawsOf, listable } from './flaws.ts';
import { type Flaw, proveFixes } from './prove.ts';

const site = (code: string, more?: Flaw) => flawed({ 'caddy.site': code }, more);
const plain = (code: string, goes: string[] = []) =>
  flawed({ 'caddy.file': `http://example.com {\n${code}\n}` }, { goes });

proveFixes(caddy, {
  ...flawsOf(caddy),
  'cors.reflects_origin': site(`header Access-Control-Allow-Origin {http.request.header.Origin}
header Access-Control-Allow-Credentials true`),
  'tls.weak_key': { certificate: 'short key' },
  'tls.weak_signature': { certificate: 'old hash' },
  'transport.no_https': { unproven: 'Caddy gets the certificate from a public authority.' },
  'transport.insecure_first_hop': plain('redir / http://{host}/start\nredir https://{host}/'),
  'transport.basic_auth_over_http': plain('header WWW-Authenticate `Basic realm="x"`\nrespond 401', [
    'transport.no_redirect',
  ]),
  'methods.trace_enabled': {
    configuration: {
      'caddy.file':
        'http://app.example.com {\nbind unix//run/app.sock\nrespond "Hello {http.request.header.X-Parapet-Echo}"\n}',
      'caddy.site': 'reverse_proxy unix//run/app.sock {\nheader_up Host app.example.com\n}',
    },
  },
  'page.directory_listing': site('file_server browse', listable),
  'page.private_address': { configuration: { 'caddy.site': 'header X-Backend 10.0.0.5' } },
});
