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
    name: 'Actions of its person do not keep a session alive',
    file: guard,
    search: 'await touchSession(request.people, session.id);',
    replacement: 'void touchSession;',
    killedBy: signIn('is not kept alive by requests that a page sends by itself'),
  },
  {
    name: 'Polling by its page keeps a session alive',
    file: guard,
    search: ' && !isAutomatic(request)',
    replacement: '',
    killedBy: signIn('is not kept alive by requests that a page sends by itself'),
  },
  {
    name: 'An idle session does not end',
    file: sessions,
    search: " and s.last_seen_at > now() - interval '${idleMinutes} minutes'",
    replacement: '',
    killedBy: signIn('ends sessions that are idle for an hour'),
  },
  {
    name: 'A session never expires',
    file: sessions,
    search: ' and s.expires_at > now()',
    replacement: '',
    killedBy: signIn('ends sessions that are idle for an hour'),
  },
  {
    name: 'A session continues after signing out',
    file: sessions,
    search: 's.ended_at is null and s.expires_at',
    replacement: 's.expires_at',
    killedBy: signIn('ends sessions that are idle for an hour'),
  },
  {
    name: 'A former member has a role in the organization',
    file: sessions,
    search: 'm.person_id = p.id and m.left_at is null',
    replacement: 'm.person_id = p.id',
    killedBy: shared('answers 404 for an organization that the person does not belong to'),
  },
  {
    name: 'A step-up is valid for longer',
    file: sessions,
    search: 'const stepUpMinutes = 5;',
    replacement: 'const stepUpMinutes = 6;',
    killedBy: shared('asks for a step-up within five minutes'),
  },
  {
    name: 'No step-up is required',
    file: guard,
    search: 'if (stepUp === true) assertSteppedUp(session);',
    replacement: '',
    killedBy: shared('asks for a step-up within five minutes'),
  },
  {
    name: 'The password alone is enough',
    file: guard,
    search: 'if (session.secondFactorSetUp && !session.secondFactorGiven)',
    replacement: 'if (session.secondFactorSetUp && session.id === undefined)',
    killedBy: shared('refuses who has given the password only'),
  },
  {
    name: 'A role that requires a second factor works without one',
    file: guard,
    search: "access !== 'enrolment' && session.secondFactorAsked && !session.secondFactorSetUp",
    replacement: 'access === undefined && session.secondFactorAsked && !session.secondFactorSetUp',
    killedBy: {
      file: 'test/dashboard/people.test.ts',
      test: 'that ask for a second factor ask for it at once',
    },
  },
  {
    name: 'Another origin may send changes',
    file: guard,
    search: 'if (changes) assertSameOrigin(request, services.publicUrl);',
    replacement: 'if (changes) void assertSameOrigin;',
    killedBy: shared('refuses what another site sends'),
  },
  {
    name: 'A page of the same site may send changes',
    file: crossSite,
    search: "if (site !== undefined && site !== 'same-origin')",
    replacement: "if (site === 'cross-site')",
    killedBy: shared('refuses what another site sends'),
  },
  {
    name: 'No CSRF token is required',
    file: guard,
    search: 'if (changes) assertCsrfToken(request, token);',
    replacement: 'void assertCsrfToken;',
    killedBy: shared('refuses what another site sends'),
  },
  {
    name: 'The CSRF token of any session is accepted',
    file: crossSite,
    search: "createHmac('sha256', sessionToken)",
    replacement: "createHmac('sha256', String(sessionToken.length))",
    killedBy: shared('refuses what another site sends'),
  },
  {
    name: 'Every role may do everything',
    file: guard,
    search: 'assertRole(session.role, access);',
    replacement: '',
    killedBy: shared('refuses whose role is lower'),
  },
  {
    name: 'Other organizations are distinguishable from missing ones',
    file: guard,
    search: "if (!organization || !session.role) throw new Refusal('not_found');",
    replacement:
      "if (!organization) throw new Refusal('not_found');\n  if (!session.role) throw new Refusal('forbidden');",
    killedBy: shared('answers 404 for an organization that the person does not belong to'),
  },
  {
    name: 'A change is made in a session that ended in the meantime',
    file: guard,
    search: "if (moment === 'done') return admit(request, reply, services, false);",
    replacement: "if (moment === 'done') return;",
    killedBy: inFlight('mints no key for who was signed out while it waited for others'),
  },
  {
    name: 'Scripts can read the cookie',
    file: cookies,
    search: "void reply.setCookie(nameOf(services, purpose), value, {\n    path: '/',\n    httpOnly: true,",
    replacement:
      "void reply.setCookie(nameOf(services, purpose), value, {\n    path: '/',\n    httpOnly: false,",
    killedBy: signIn('sets a cookie that scripts and other sites do not get'),
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
    killedBy: signIn('is taken once, on whichever node'),
  },
  {
    name: 'The response time reveals whether an address has an account',
    file: 'src/dashboard/sign-in/passwords.ts',
    search: '  await compare(await decoyHash, password);\n',
    replacement: '',
    killedBy: signIn('answers alike, and compares one hash'),
  },
];
