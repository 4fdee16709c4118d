import type { Mutant, TestName } from '../mutant.ts';

const guard = 'src/dashboard/plugins/guard.ts';
const sessions = 'src/resources/people/sessions.ts';
const cookies = 'src/dashboard/cookies.ts';
const crossSite = 'src/dashboard/cross-site.ts';
/** One route is enough: all share the guard. */
const shared = (test: string): TestName => ({
  file: 'test/dashboard/shared-suite.test.ts',
  test: `POST /organizations/:organization/keys > ${test}`,
});
const signIn = (test: string): TestName => ({ file: 'test/dashboard/sign-in.test.ts', test });
const inFlight = (test: string): TestName => ({ file: 'test/dashboard/in-flight.test.ts', test });

/** Sessions, roles and access of people. */
export const peopleMutants: readonly Mutant[] = [
  {
    name: 'A person makes any number of changes',
    file: 'src/resources/people/change-counts.ts',
    search: 'or known.changes + excluded.changes <= $4::int',
    replacement: 'or $4::int > 0',
    killedBy: {
      file: 'test/resources/change-counts.test.ts',
      test: 'counts changes on all nodes together, until the window ends',
    },
  },
  {
    name: 'Actions of its person do not keep a session alive',
    file: guard,
    search: 'await touchSession(request.people, session.id);',
    replacement: 'void touchSession;',
    killedBy: signIn('is not extended by automatic requests of a page'),
  },
  {
    name: 'Polling by its page keeps a session alive',
    file: guard,
    search: ' && !isAutomatic(request)',
    replacement: '',
    killedBy: signIn('is not extended by automatic requests of a page'),
  },
  {
    name: 'An idle session does not end',
    file: sessions,
    search: " and s.last_seen_at > now() - interval '${idleMinutes} minutes'",
    replacement: '',
    killedBy: signIn(
      'expires sessions that are idle for an hour or a day old, and ends those that are signed out',
    ),
  },
  {
    name: 'A session never expires',
    file: sessions,
    search: ' and s.expires_at > now()',
    replacement: '',
    killedBy: signIn(
      'expires sessions that are idle for an hour or a day old, and ends those that are signed out',
    ),
  },
  {
    name: 'A session continues after signing out',
    file: sessions,
    search: 's.ended_at is null and s.expires_at',
    replacement: 's.expires_at',
    killedBy: signIn(
      'expires sessions that are idle for an hour or a day old, and ends those that are signed out',
    ),
  },
  {
    name: 'A former member has a role in the organization',
    file: sessions,
    search: 'm.person_id = p.id and m.left_at is null',
    replacement: 'm.person_id = p.id',
    killedBy: shared('answers 404 for organizations that the person does not belong to, and invalid ids'),
  },
  {
    name: 'A step-up is valid for longer',
    file: sessions,
    search: 'const stepUpMinutes = 5;',
    replacement: 'const stepUpMinutes = 6;',
    killedBy: shared('requires a step-up within five minutes, on this session'),
  },
  {
    name: 'No step-up is required',
    file: guard,
    search: 'if (stepUp === true) assertSteppedUp(session);',
    replacement: '',
    killedBy: shared('requires a step-up within five minutes, on this session'),
  },
  {
    name: 'The password alone is enough',
    file: guard,
    search: 'if (session.secondFactorSetUp && !session.secondFactorGiven)',
    replacement: 'if (session.secondFactorSetUp && session.id === undefined)',
    killedBy: shared('refuses sessions with the password only'),
  },
  {
    name: 'A role that requires a second factor works without one',
    file: guard,
    search: "access !== 'enrolment' && session.secondFactorAsked && !session.secondFactorSetUp",
    replacement: 'access === undefined && session.secondFactorAsked && !session.secondFactorSetUp',
    killedBy: {
      file: 'test/dashboard/people.test.ts',
      test: 'that require a second factor require it immediately',
    },
  },
  {
    name: 'Another origin may send changes',
    file: guard,
    search: 'if (changes) assertSameOrigin(request, services.publicUrl);',
    replacement: 'if (changes) void assertSameOrigin;',
    killedBy: shared('refuses requests from another site'),
  },
  {
    name: 'A page of the same site may send changes',
    file: crossSite,
    search: "if (site !== undefined && site !== 'same-origin')",
    replacement: "if (site === 'cross-site')",
    killedBy: shared('refuses requests from another site'),
  },
  {
    name: 'No CSRF token is required',
    file: guard,
    search: 'if (changes) assertCsrfToken(request, token);',
    replacement: 'void assertCsrfToken;',
    killedBy: shared('refuses requests from another site'),
  },
  {
    name: 'The CSRF token of any session is accepted',
    file: crossSite,
    search: "createHmac('sha256', sessionToken)",
    replacement: "createHmac('sha256', String(sessionToken.length))",
    killedBy: shared('refuses requests from another site'),
  },
  {
    name: 'Every role may do everything',
    file: guard,
    search: 'assertRole(session.role, access);',
    replacement: '',
    killedBy: shared('refuses lower roles'),
  },
  {
    name: 'Other organizations are distinguishable from missing ones',
    file: guard,
    search: "if (!organization || !session.role) throw new Refusal('not_found');",
    replacement:
      "if (!organization) throw new Refusal('not_found');\n  if (!session.role) throw new Refusal('forbidden');",
    killedBy: shared('answers 404 for organizations that the person does not belong to, and invalid ids'),
  },
  {
    name: 'A change is made in a session that ended in the meantime',
    file: guard,
    search: "if (moment === 'done') return admit(request, reply, services, false);",
    replacement: "if (moment === 'done') return;",
    killedBy: inFlight('creates no key for a person who was signed out while the request waited for others'),
  },
  {
    name: 'Scripts can read the cookie',
    file: cookies,
    search: "void reply.setCookie(nameOf(services, purpose), value, {\n    path: '/',\n    httpOnly: true,",
    replacement:
      "void reply.setCookie(nameOf(services, purpose), value, {\n    path: '/',\n    httpOnly: false,",
    killedBy: signIn(
      'sets a cookie that is not available to scripts and other sites, and stores only its hash',
    ),
  },
  {
    name: 'The cookie is not bound to its host',
    file: cookies,
    search: "isSecure(publicUrl) ? '__Host-' : ''",
    replacement: "isSecure(publicUrl) ? '' : ''",
    killedBy: signIn('binds the cookie to the host and to TLS'),
  },
  {
    name: 'A code is accepted twice',
    file: 'src/resources/people/totp.ts',
    search: ' and last_step < $3',
    replacement: '',
    killedBy: signIn('is accepted once on all nodes, and no earlier one after it'),
  },
  {
    name: 'The response time reveals whether an address has an account',
    file: 'src/dashboard/sign-in/passwords.ts',
    search: '  await compare(await decoyHash, password);\n',
    replacement: '',
    killedBy: signIn('gives the same response, and compares one hash, with and without an account'),
  },
];
