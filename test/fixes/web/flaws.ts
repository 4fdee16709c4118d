import type { Flaw } from './prove.ts';
import type { WebProduct } from './site.ts';

const page = (content: string) =>
  `<!doctype html><html lang="en"><head><title>Portal</title></head><body>${content}<a href="/privacy">Privacy</a></body></html>\n`;

const policy = (scripts: string) =>
  `script-src 'self' ${scripts}; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** Sites with flaws in their content, or that every product has by default. */
const ofAll: Readonly<Record<string, Flaw>> = {
  'headers.framing_unrestricted': {},
  'headers.nosniff_missing': {},
  'headers.referrer_policy': {},
  'headers.permissions_policy_missing': {},
  'headers.cross_origin_isolation': {},
  'headers.content_type_missing': {},
  'headers.version_banner': {},
  'tls.certificate_expired': { certificate: 'expired' },
  'tls.certificate_not_yet_valid': { certificate: 'not yet valid' },
  'tls.name_mismatch': { certificate: 'other name' },
  'tls.certificate_untrusted': { certificate: 'self-signed' },
  'tls.chain_incomplete': { certificate: 'without issuer' },
  'transport.no_https': { isPlain: true },
  'transport.no_redirect': {},
  'transport.hsts_missing': {},
  'transport.password_over_http': {
    files: { 'index.html': page('<input type="password" name="password">') },
  },
  'hipaa.identity_form_insecure': {
    files: { 'index.html': page('<form method="post"><input name="ssn"><input name="dob"></form>') },
  },
  'hipaa.authenticated_page_cacheable': {
    credential: { type: 'basic', username: 'scanner', password: 'correct-horse' },
  },
  'transport.mixed_content': { files: { 'index.html': page('<img src="http://example.net/a.png" alt="">') } },
  'csp.missing': {},
  'exposure.version_control': { files: { '.git/config': '[core]\n\trepositoryformatversion = 0\n' } },
  'exposure.secrets_file': { files: { '.env': 'DB_PASSWORD=correct-horse\n' } },
  'exposure.backup': { files: { 'backup.sql': '-- MySQL dump 10.13\nCREATE TABLE patients (id int);\n' } },
  'exposure.actuator': { files: { actuator: '{"_links":{"env":{}}}' } },
  'exposure.phpinfo': { files: { 'phpinfo.php': '<!doctype html><title>PHP 8.2 - phpinfo()</title>' } },
  'exposure.ds_store': { files: { '.DS_Store': '\0\0\0\x01Bud1\0' } },
  'exposure.crossdomain': {
    files: {
      'crossdomain.xml': '<cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>',
    },
  },
  'exposure.source_map': {
    files: {
      'index.html': page('<script src="/app.js"></script>'),
      'app.js': 'start();\n//# sourceMappingURL=app.js.map\n',
      'app.js.map': '{"version":3,"sources":["app.ts"],"mappings":"AAAA"}',
    },
  },
  'exposure.source_copy': {
    files: {
      'index.php~': '<?php require "app.php";\n',
      'app.js.bak': "const express = require('express');\n",
    },
  },
  'exposure.shell_history': { files: { '.bash_history': 'cd /srv\nsudo systemctl restart app\n' } },
  'exposure.log_file': {
    files: { 'error.log': '2026-11-20 10:00:00 ERROR no such user\n2026-11-20 10:00:09 WARN slow\n' },
  },
  'exposure.development_file': {
    files: { Dockerfile: 'FROM node:22\nCOPY . .\n', 'package.json': '{"name":"app","dependencies":{}}' },
  },
  'exposure.installer': {
    files: {
      'install/index.html': page('<h1>WordPress &rsaquo; Installation</h1><form id="setup"></form>'),
      'ghost/api/admin/authentication/setup/index.html': '{"setup":[{"status":false}]}',
    },
  },
  'exposure.database_console': {
    files: {
      'phpmyadmin/index.html': page('phpMyAdmin <input name="pma_username">'),
      '_utils/index.html': '<title>Project Fauxton</title>',
    },
  },
  'exposure.admin_console': {
    files: {
      hangfire: page('<h1>Hangfire Dashboard</h1>'),
      'admin/queues': '<!doctype html><title>Bull Dashboard</title>',
    },
  },
  'exposure.metrics': { files: { metrics: '# TYPE up gauge\nup 1\n' } },
  'exposure.debugger': {
    files: { 'debug/pprof/index.html': page('/debug/pprof/ Types of profiles available:') },
  },
  'exposure.user_list': {
    files: {
      'index.html': page('<link rel="stylesheet" href="/wp-content/a.css">'),
      'wp-json/wp/v2/users': '[{"id":1,"slug":"ada","avatar_urls":{}}]',
    },
  },
  'exposure.xml_rpc': {
    files: {
      'index.html': page('<link rel="stylesheet" href="/wp-content/a.css">'),
      'xmlrpc.php': 'XML-RPC server accepts POST requests only.',
    },
  },
  'exposure.api_documentation': { files: { 'openapi.json': '{"openapi":"3.1.0"}' } },
};

/** A page that loads a file from a folder with another file. */
export const listable: Flaw = {
  files: {
    'index.html': page('<script src="/files/app.js"></script>'),
    'files/app.js': 'start();\n',
    'files/export.csv': 'name\n',
  },
};

/** Sites with flawed headers. */
const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'cors.wildcard_credentialed': {
    'Access-Control-Allow-Origin': '*',
    'Set-Cookie': 'session=value; Secure; HttpOnly; SameSite=Lax',
  },
  'transport.hsts_short': { 'Strict-Transport-Security': 'max-age=300' },
  'transport.hsts_malformed': { 'Strict-Transport-Security': 'max-age=one year' },
  'csp.report_only': { 'Content-Security-Policy-Report-Only': policy('') },
  'csp.unsafe_inline': { 'Content-Security-Policy': policy("'unsafe-inline'") },
  'csp.unsafe_eval': { 'Content-Security-Policy': policy("'unsafe-eval'") },
  'csp.broad_source': { 'Content-Security-Policy': policy('https:') },
  'csp.bypass_host': { 'Content-Security-Policy': policy('https://unpkg.com') },
  'csp.missing_directive': { 'Content-Security-Policy': "script-src 'self'" },
};

/** @param flawed the configuration that the code replaces */
export function flawed(configuration: Flaw['configuration'], more: Flaw = {}): Flaw {
  return { ...more, ...(configuration ? { configuration } : {}), replaces: true };
}

/** The flawed sites for all products, by check. */
export function flawsOf({ sending }: WebProduct): Record<string, Flaw> {
  const session = sending?.({ 'Set-Cookie': 'session=value; Secure; HttpOnly; SameSite=Lax' });
  const entries = Object.entries(headers).map(([check, sent]) => [check, flawed(sending?.(sent))] as const);
  return {
    ...ofAll,
    ...(session ? { 'headers.cacheable_session': { configuration: session } } : {}),
    ...Object.fromEntries(entries),
  };
}
