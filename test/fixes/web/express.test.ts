import { express } from './express.ts';
import { flawed, flawsOf } from './flaws.ts';
import { type Flaw, proveFixes } from './prove.ts';

const app = (...lines: string[]) =>
  flawed({ 'express.app': `app.use((req, res, next) => {\n${lines.join('\n')}\n});` });

/** Routes; the code is added before them. */
const first = (...lines: string[]): Flaw => {
  const { replaces, ...flaw } = app(...lines);
  return { ...flaw, precedes: true };
};

/** @param cookie options of express-session */
const session = (cookie: string, name = 'connect.sid') =>
  flawed(
    {
      'express.app': `const session = require('express-session');
app.use(session({ name: '${name}', secret: 'a', resave: false, saveUninitialized: true, cookie: { ${cookie} } }));`,
    },
    // It still sets the cookie.
    { stays: ['headers.cacheable_session'] },
  );

/** Serves files whose names start with a dot. */
const dotfiles = (files: Flaw['files']): Flaw => ({
  ...flawed({ 'express.app': "app.use(express.static('/var/www/html', { dotfiles: 'allow' }));" }),
  files: { ...files, '.well-known/security.txt': 'Contact: mailto:security@example.com\n' },
  values: { "'public": "'/var/www/html" },
  goes: ['exposure.security_txt_missing'],
});

const policyWithNonce =
  "script-src 'nonce-aB3dE5fG7hJ9'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const shared = flawsOf(express);
const withDotfiles = [
  'exposure.version_control',
  'exposure.secrets_file',
  'exposure.shell_history',
  'exposure.ds_store',
].map(check => [check, dotfiles(shared[check]?.files)] as const);

proveFixes(express, {
  ...shared,
  ...Object.fromEntries(withDotfiles),
  'cors.reflects_origin': app(
    "if (req.headers.origin) res.set('Access-Control-Allow-Origin', req.headers.origin);",
    "res.set('Access-Control-Allow-Credentials', 'true');",
    'next();',
  ),
  'transport.insecure_first_hop': app(
    'if (req.secure) return next();',
    "res.redirect(req.path === '/' ? '/start' : 'https://example.com/');",
  ),
  'transport.basic_auth_over_http': {
    goes: ['transport.no_redirect'],
    ...app(
      'if (req.secure) return next();',
      `res.set('WWW-Authenticate', 'Basic realm="x"').sendStatus(401);`,
    ),
  },
  'cookies.session_not_secure': session('httpOnly: false'),
  'cookies.session_not_httponly': session('httpOnly: false'),
  'cookies.session_samesite': session('httpOnly: false'),
  'cookies.broad_domain': session("domain: 'clinic.com', secure: true, sameSite: 'lax'"),
  'cookies.prefix_broken': session('secure: false', '__Host-session'),
  'cookies.open_content': flawed(
    {
      'express.app': `const session = require('express-session');
app.use(session({ secret: 'a', resave: false, saveUninitialized: true }));
app.use((req, res, next) => {
  res.cookie('role', 'guest', { secure: true, httpOnly: true });
  next();
});`,
    },
    { stays: ['headers.cacheable_session'] },
  ),
  'csp.nonce_reused': app(`res.set('Content-Security-Policy', "${policyWithNonce}");`, 'next();'),
  'reflection.parameter_as_markup': {
    ...first(
      "if (req.path !== '/search') return next();",
      "res.send('<p>Results for ' + req.query.q + '</p>');",
    ),
    files: { 'index.html': '<!doctype html><title>Portal</title><a href="/search?q=pain">Search</a>' },
  },
  'methods.trace_enabled': first(
    "if (req.method !== 'TRACE') return next();",
    "res.type('text').send(JSON.stringify(req.headers));",
  ),
  'page.error_details': {
    configuration: {
      'express.app': "app.use((req, res, next) => next(req.path === '/' ? undefined : new Error('broken')));",
    },
  },
});
