import { flawed, flawsOf, listable } from './flaws.ts';
import { nginx } from './nginx.ts';
import { type Flaw, proveFixes } from './prove.ts';

const server = (code: string, more?: Flaw) => flawed({ 'nginx.server': code }, more);
/** A flaw that the server block inherits and the code must override. */
const around = (code: string, more: Flaw = {}): Flaw => ({ ...more, configuration: { 'nginx.http': code } });
const plain = (code: string, goes: string[] = []) =>
  flawed({ 'nginx.http': `server { listen 80; root /var/www/html; ${code} }` }, { goes });

/** An application behind the server. */
const behind = (code: string): Flaw => ({
  configuration: {
    'nginx.http': `server { listen unix:/run/app.sock; root /var/www/html; ${code} }`,
    'nginx.server': 'location / { proxy_pass http://unix:/run/app.sock; }',
  },
});
const session = behind('add_header Set-Cookie session=value;');

proveFixes(nginx, {
  ...flawsOf(nginx),
  'cors.reflects_origin': behind(
    'add_header Access-Control-Allow-Origin $http_origin; add_header Access-Control-Allow-Credentials true;',
  ),
  'cors.wildcard_credentialed': behind(
    "add_header Access-Control-Allow-Origin *; add_header Set-Cookie 'session=value; Secure; HttpOnly; SameSite=Lax';",
  ),
  'tls.legacy_protocol': around('ssl_protocols TLSv1 TLSv1.1 TLSv1.2; ssl_ciphers DEFAULT@SECLEVEL=0;'),
  'tls.weak_cipher': around('ssl_ciphers AES128-SHA;', { certificate: 'rsa' }),
  'tls.weak_key': around('ssl_ciphers DEFAULT@SECLEVEL=0;', { certificate: 'short key' }),
  'tls.weak_signature': around('ssl_ciphers DEFAULT@SECLEVEL=0;', { certificate: 'old hash' }),
  'tls.weak_dh_group': { unproven: 'OpenSSL 3 loads no small group with the ciphers of the fix.' },
  'tls.no_tls13': around('ssl_protocols TLSv1.2;'),
  'transport.insecure_first_hop': plain(
    'location = / { return 302 http://$host/start; } location / { return 301 https://$host/; }',
  ),
  'transport.basic_auth_over_http': plain(
    `add_header WWW-Authenticate 'Basic realm="x"' always; return 401;`,
    ['transport.no_redirect'],
  ),
  'cookies.session_not_secure': session,
  'cookies.session_not_httponly': session,
  'cookies.session_samesite': session,
  'exposure.server_status': server('location = /nginx_status { stub_status; }'),
  'page.directory_listing': around('autoindex on;', listable),
  'page.private_address': behind('add_header X-Backend 10.0.0.5;'),
});
