import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DashboardServices } from '../../src/dashboard/services.ts';
import { askForWork } from '../../src/dashboard/sign-in/proof-of-work.ts';
import { invite } from '../../src/resources/people/invitations.ts';
import { rememberDevice } from '../../src/resources/people/known-devices.ts';
import { makeLink } from '../../src/resources/people/one-time-links.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { solve } from '../support/proof-of-work.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let organizationId: string;
beforeAll(async () => {
  service = await startService({ longestLockMs: 2_000 });
  organizationId = await service.createOrganization();
});
afterAll(() => service?.close());

/** The parts of a sign-in request. */
interface Attempt {
  readonly person: TestPerson;
  /** The token of a known browser. */
  readonly device?: string;
  readonly address?: string;
  readonly work?: object;
}

/** One request, without the page's other ones. */
async function signIn({ person, device, address = '198.51.100.1', work }: Attempt) {
  const { email, password } = person;
  const response = await fetch(`${service.url}/dashboard/api/sign-in`, {
    method: 'POST',
    headers: {
      origin: service.url,
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(device ? { cookie: `parapet_device=${device}` } : {}),
    },
    body: JSON.stringify({ email, password, ...(work ? { proof_of_work: work } : {}) }),
  });
  const json = (await response.json()) as { proof_of_work?: { bits: number } };
  return { status: response.status, json };
}

async function knownDevice(person: TestPerson): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await rememberDevice(service.storage.people, person.id, token);
  return token;
}

// With a second factor, so that the correct password alone is not a complete sign-in, and a browser keeps its token.
const member = () => addPerson(service, organizationId, 'member', { secondFactor: true });

it.each([
  ['one known browser', 1, 1],
  ['many accounts, each in many known browsers', 12, 12],
])(
  'does not block sign-ins with correct passwords in %s',
  { timeout: 180_000 },
  async (_what, accounts, browsers) => {
    const pairs: Attempt[] = [];
    for (let account = 0; account < accounts; account++) {
      const person = await member();
      for (let index = 0; index < browsers; index++)
        pairs.push({ person, device: await knownDevice(person) });
    }
    const victim = await member();
    const home = await knownDevice(victim);
    let over = false;
    let hashed = 0;
    const statuses = new Set<number>();
    const flood = Array.from({ length: 100 }, async (_, index) => {
      // Also ends without the flag.
      for (let round = index; !over && round < 10_000; round += 100) {
        const { status } = await signIn(pairs[round % pairs.length]!);
        statuses.add(status);
        if (status === 200) hashed += 1;
      }
    });
    const answers: [string, number][] = [];
    const most: number[] = [];
    const attempt = async (what: string, attempts: Omit<Attempt, 'person'>) => {
      const before = hashed;
      const { status } = await signIn({ person: victim, ...attempts });
      answers.push([what, status]);
      most.push(hashed - before);
    };
    try {
      await poll('a refusal', async () => ([...statuses].some(status => status !== 200) ? true : undefined));
      await attempt('a known browser', { device: home, address: '203.0.113.5' });
      await attempt('an unknown browser', { address: '203.0.113.10' });
      const { challenge, bits } = await askForWork(service as object as DashboardServices, victim.email);
      await attempt('work', {
        address: '203.0.113.6',
        work: { challenge, solution: solve(challenge, bits) },
      });
      await attempt('a known browser', { device: home, address: '203.0.113.5' });
    } finally {
      over = true;
      await Promise.allSettled(flood);
    }
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
    // At most nine other requests run first, besides those in progress.
    expect(Math.max(...most)).toBeLessThan(30);
    await Promise.all(flood);
  },
);

it.each([
  ['a known browser', 1],
  ['many known browsers', 20],
  ['a network', 0],
])('takes no place in the queue while correct sign-ins from %s are delayed', async (_where, browsers) => {
  const person = await member();
  const devices = await Promise.all(Array.from({ length: browsers }, () => knownDevice(person)));
  const signInAgain = (time: number) => {
    const device = devices[time % browsers];
    return signIn({ person, ...(device ? { device } : {}), address: '198.51.100.33' });
  };
  for (let time = 0; time < 61; time++) expect((await signInAgain(time)).status).toBe(200);
  await asOwner(service.database.connection, client =>
    client.query(
      "update sign_in_attempts set blocked_until = now() + interval '9 minutes' where failures > 60",
    ),
  );
  const answers = await Promise.all(Array.from({ length: 100 }, (_, time) => signInAgain(time)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
  expect(answers[0]!.json.proof_of_work?.bits).toBe(18);
});

it('does not use up anything of people with the password by wrong guesses in their network', async () => {
  const person = await member();
  const address = '198.51.100.44';
  for (let index = 0; index < 50; index++) await signIn({ person, address });
  for (let index = 0; index < 6; index++) {
    const wrong = { ...person, password: 'a wrong password' };
    expect((await signIn({ person: wrong, address })).status).toBe(401);
  }
  await asOwner(service.database.connection, client =>
    client.query('update sign_in_attempts set blocked_until = now()'),
  );
  const statuses: number[] = [];
  for (let index = 0; index < 10; index++) statuses.push((await signIn({ person, address })).status);
  expect(statuses).toEqual(Array(10).fill(200));
});

/** Creates links of invitations to the organization. */
async function invitations(organization: string, count: number): Promise<string[]> {
  const { id } = await addPerson(service, organization, 'owner');
  const actor = { kind: 'person', id } as const;
  return service.storage.people.transaction(async transaction => {
    const links: string[] = [];
    for (let index = 0; index < count; index++) {
      const email = `${randomUUID()}@example.org`;
      const invited = { organizationId: organization, email, role: 'member', actor } as const;
      links.push((await invite(transaction, invited)).token);
    }
    return links;
  });
}

/** The status of choosing a password with a link. */
async function choose(path: string, body: object): Promise<number> {
  const headers = { origin: service.url, 'content-type': 'application/json' };
  const url = `${service.url}/dashboard/api/${path}`;
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

/** What the holder of a link does with it. */
const uses = {
  'an invitation': async () => {
    const [token] = await invitations(await service.createOrganization(), 1);
    const body = { token, name: 'A victim', password: 'meadow brick falcon 29' };
    return () => choose('invitations/account', body);
  },
  'a link for a new password': async () => {
    const { token } = await makeLink(service.storage.people, (await member()).id);
    return () => choose('password-reset', { token, password: 'meadow brick falcon 29' });
  },
};

it.each<[keyof typeof uses, number]>([
  ['an invitation', 1],
  ['a link for a new password', 1],
  ['a link for a new password', 200],
])(
  'does not block choosing a password with %s while others use 200 invitations, of organizations: %d',
  async (link, organizations) => {
    const use = await uses[link]();
    const links: string[] = [];
    for (let made = 0; made < organizations; made++) {
      links.push(...(await invitations(await service.createOrganization(), 200 / organizations)));
    }
    // Easy to guess, but slow to estimate.
    const password = '4!|({'.repeat(25);
    const statuses: number[] = [];
    let over = false;
    const flood = links.map(async token => {
      // Each link once, so that none has had more attempts than a first request.
      for (let status = 503; status === 503 && !over; ) {
        status = await choose('invitations/account', { token, name: 'An attacker', password });
        statuses.push(status);
      }
    });
    await poll('a full queue', async () => statuses.includes(503) || undefined);
    const answer = await use();
    const estimated = statuses.filter(status => status === 400).length;
    over = true;
    await Promise.all(flood);
    expect(answer).toBe(200);
    expect(estimated, 'others are still queued').toBeLessThan(150);
  },
);
