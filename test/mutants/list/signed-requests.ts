import type { Mutant, TestName } from '../mutant.ts';

const authenticate = 'src/api/authenticate.ts';
const plugin = 'src/api/plugins/signed-requests.ts';
/** One route is enough: all share this code. */
const by = (test: string, route = 'POST /api/v1/systems'): TestName => ({
  file: 'test/api/signed-routes.test.ts',
  test: `${route} > ${test}`,
});

/** From the bytes of a request to its authenticated key. */
export const signedRequestMutants: readonly Mutant[] = [
  {
    name: 'Any bearer token is accepted for a key',
    file: authenticate,
    search: 'const matches = timingSafeEqual(sha256(headers.token), key.tokenHash);',
    replacement: 'const matches = timingSafeEqual(key.tokenHash, key.tokenHash);',
    killedBy: by('refuses the token and the token id of different keys'),
  },
  {
    name: 'A bound key works from any address',
    file: authenticate,
    search: "  if (!caller.allowed) return denied('address');\n",
    replacement: '',
    killedBy: by('refuses an address-bound key from any other address, before it spends a nonce'),
  },
  {
    name: 'A wrong token for an existing key is detectable by the time it takes',
    file: authenticate,
    search: 'return { key, headers, matches, allowed };',
    replacement:
      "return matches && allowed ? { key, headers, matches, allowed } : { because: { reason: 'token' } };",
    killedBy: {
      file: 'test/api/signed-routes.test.ts',
      test: 'does the same work for a wrong bearer token, or a wrong address, as for the right ones',
    },
  },
  {
    name: 'A clock may be off by one more second',
    file: authenticate,
    search: 'if (Math.abs(aheadSeconds) > limits.clockWindowSeconds)',
    replacement: 'if (Math.abs(aheadSeconds) > limits.clockWindowSeconds + 1)',
    killedBy: by('accepts a clock that is 300 seconds off, and no more'),
  },
  {
    name: 'The signature is not verified',
    file: authenticate,
    search: "if (!signed) return denied('signature');",
    replacement: 'void signed;',
    killedBy: by('refuses each signed value if tampered with'),
  },
  {
    name: 'The digest of the body is not compared with its bytes',
    file: authenticate,
    search: "sha256(body).toString('hex')",
    replacement: "sha256(body.toString().trim()).toString('hex')",
    killedBy: by('refuses headers and bodies changed after signing'),
  },
  {
    name: 'A GET may have a body',
    file: authenticate,
    search: "if (body.length > 0 && bodiless.has(method)) return denied('body_not_allowed');",
    replacement: '',
    killedBy: by('refuses a body even if it is signed', 'GET /api/v1/systems'),
  },
  {
    name: 'A body needs no media type',
    file: authenticate,
    search: "if (body.length > 0 && !headers.hasMediaType) return denied('media_type');",
    replacement: '',
    killedBy: by('refuses another media type'),
  },
  {
    name: 'A node that stops says that it is ready',
    file: 'src/main/service.ts',
    search: '  service.unready();\n  if (drainSeconds',
    replacement: '  void service;\n  if (drainSeconds',
    killedBy: {
      file: 'src/main/service.test.ts',
      test: 'reports that it stops before it waits for load balancers',
    },
  },
  {
    name: 'Refused requests are logged without a limit',
    file: 'src/http/refusal-log.ts',
    search: 'if (isKnown || this.#allows(reason))',
    replacement: 'if (isKnown || this.#allows(reason) || reason)',
    killedBy: {
      file: 'test/api/refusals.test.ts',
      test: 'is limited for each reason, and counts what it leaves out',
    },
  },
  {
    name: 'Names of unknown fields are logged',
    file: 'src/http/describe-refusal.ts',
    search: "if (message === 'is not a known field') parts[parts.length - 1] = '*';",
    replacement: 'void message;',
    killedBy: {
      file: 'test/api/refusals.test.ts',
      test: 'names the scope that a key lacks, and the fields that are wrong, without their values',
    },
  },
  {
    name: 'Headers that clients make up are logged',
    file: 'src/api/signed-headers.ts',
    search: 'return malformed(ownName(name, prefix), ',
    replacement: 'return malformed(name, ',
    killedBy: {
      file: 'test/api/refusals.test.ts',
      test: 'names no key that is malformed, and no header that the client made up',
    },
  },
  {
    name: 'The scope is not required',
    file: plugin,
    search: 'if (scope && !key.scopes.includes(scope))',
    replacement: 'if (scope && key.scopes.length === 0)',
    killedBy: by('answers 403 to a key without the scope'),
  },
  {
    name: 'A path without a route requires no signature',
    file: plugin,
    search: 'if (options.namesSignedPath(request.originalUrl)) await admit(request, reply);\n    else ',
    replacement: '',
    killedBy: by('refuses every unsigned spelling of its path, with the same response'),
  },
  {
    name: 'A route on the wrong side starts',
    file: plugin,
    search: 'if (signed ? !isSignedPath(path) : mayBeSigned) {',
    replacement: 'if (signed && !isSignedPath(path)) {',
    killedBy: {
      file: 'test/api/paths.test.ts',
      test: 'does not start with a route on the wrong side',
    },
  },
  {
    name: 'A key that was revoked while its change waited is accepted',
    file: plugin,
    search: 'if (!isLate(admittedAt) || (await isKeyActive(session, key.id))) return;',
    replacement:
      'if (!isLate(admittedAt) || (await isKeyActive(session, key.id)) || key.id !== undefined) return;',
    killedBy: {
      file: 'test/api/revoked-in-flight.test.ts',
      test: 'changes nothing for a key that was revoked while the change waited for a lock',
    },
  },
  {
    name: 'The dashboard accepts unknown query parameters',
    file: 'src/dashboard/dashboard.ts',
    search: '    closeQueries(routes);\n',
    replacement: '',
    killedBy: {
      file: 'test/dashboard/shared-suite.test.ts',
      test: 'refuses unknown query parameters',
    },
  },
];
