import { apache } from './apache.ts';
import { flawed, flawsOf, listable } from './flaws.ts';
import { type Flaw, proveFixes } from './prove.ts';

const host = (code: string, more?: Flaw) => flawed({ 'apache.host': code }, more);
/** A flaw in the VirtualHost; the code is added after it. */
const also = (code: string): Flaw => ({ configuration: { 'apache.host': code } });
/** A flaw that the VirtualHost inherits and the code must override. */
const around = (code: string, more: Flaw = {}): Flaw => ({
  ...more,
  configuration: { 'apache.server': code },
});
const plain = (code: string, goes: string[] = []) =>
  flawed({ 'apache.server': `<VirtualHost *:80>\n${code}\n</VirtualHost>` }, { goes });

proveFixes(apache, {
  ...flawsOf(apache),
  'cors.wildcard_credentialed': also(`Header always set Access-Control-Allow-Origin "*"
Header always set Set-Cookie "session=value; Secure; HttpOnly; SameSite=Lax"`),
  'cors.reflects_origin': also(`SetEnvIf Origin "(.+)" ORIGIN=$1
Header always set Access-Control-Allow-Origin "%{ORIGIN}e" env=ORIGIN
Header always set Access-Control-Allow-Credentials "true"`),
  'tls.legacy_protocol': around(
    'SSLProtocol all -TLSv1.3 +TLSv1 +TLSv1.1\nSSLCipherSuite DEFAULT@SECLEVEL=0',
  ),
  'tls.weak_cipher': around('SSLCipherSuite AES128-SHA', { certificate: 'rsa' }),
  'tls.weak_key': around('SSLCipherSuite DEFAULT@SECLEVEL=0', { certificate: 'short key' }),
  'tls.weak_signature': around('SSLCipherSuite DEFAULT@SECLEVEL=0', { certificate: 'old hash' }),
  'tls.weak_dh_group': { unproven: 'OpenSSL 3 loads no small group with the ciphers of the fix.' },
  'tls.no_tls13': around('SSLProtocol TLSv1.2'),
  'transport.insecure_first_hop': plain(`RewriteEngine on
RewriteRule ^/$ http://%{SERVER_NAME}/start [R=302,L]
RewriteRule ^ https://%{SERVER_NAME}/ [R=301,L]`),
  'transport.basic_auth_over_http': plain(
    `Header always set WWW-Authenticate 'Basic realm="x"'\nRedirect 401 /`,
    ['transport.no_redirect'],
  ),
  'exposure.server_status': also('<Location "/server-status">\nSetHandler server-status\n</Location>'),
  'methods.trace_enabled': {},
  // With a page at `/`, Apache does not respond to OPTIONS for the folder.
  'methods.write_methods_offered': host(
    'RedirectMatch 302 "^/$" /index.html\n<Location "/">\nDav On\n</Location>',
  ),
  'page.directory_listing': around('<Directory "/var/www/html">\nOptions +Indexes\n</Directory>', listable),
  'page.private_address': { configuration: { 'apache.host': 'Header set X-Backend 10.0.0.5' } },
});
