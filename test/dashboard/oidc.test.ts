import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OidcProvider } from '../../src/dashboard/sign-in/oidc.ts';
import { invite } from '../../src/resources/people/invitations.ts';
import { makeLink } from '../../src/resources/people/one-time-links.ts';
import { hashToken } from '../../src/resources/people/sessions.ts';
import { DashboardClient, type HeaderChanges, totpCode } from '../support/dashboard-client.ts';
import { raceBehindLock } from '../support/held-lock.ts';
import {
  type Forgery,
  type ProviderAccount,
  startOpenIdProvider,
  type TestProvider,
} from '../support/openid-provider.ts';
import { addPerson, type TestPerson, testPassword } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestService } from '../support/service.ts';

const publicUrl = 'http://parapet.test';
const client = {
  id: 'parapet',
  secret: 'a secret of the test suite',
  redirectUri: `${publicUrl}/dashboard/api/oidc/finish`,
};
const accounts: Record<string, ProviderAccount> = {};

let provider: TestProvider;
let service: TestService;
let organizationId: string;
beforeAll(async () => {
  provider = await startOpenIdProvider(client, accounts);
  const settings = {
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    name: 'Acme',
  };
  service = await startService({ publicUrl, oidc: new OidcProvider(settings, client.redirectUri) });
  organizationId = await service.createOrganization();
});
afterAll(async () => {
  await service?.close();
  await provider?.close();
});

/** Pages that use the public URL of the service. */
class OwnPages extends DashboardClient {
  /** The token in the page's URL after the redirect from the provider. */
  vouched = 'nothing';

  override request(method: string, path: string, body?: unknown, changes: HeaderChanges = {}) {
    const sent = path.startsWith('/oidc/') ? { token: this.vouched } : body;
    return super.request(method, path, sent, {
      ...(method === 'GET' ? {} : { origin: publicUrl }),
      ...changes,
    });
  }
}

/** A browser with cookies for both hosts, without pages: it follows redirects and fills in the provider's forms. */
class Browser {
  readonly cookies = new Map<string, Map<string, string>>();
  readonly #strict = new Set<string>();
  /** See `OwnPages`. */
  #vouched = 'nothing';

  /** @param from another site, whose requests do not include strict cookies */
  async go(
    url: string,
    form?: Record<string, string>,
    from: 'here' | 'elsewhere' = 'here',
  ): Promise<{ url: string; status: number; body: string }> {
    // People and the provider use the public name of the service, which listens under another one.
    const real = new URL(url.startsWith(publicUrl) ? service.url + url.slice(publicUrl.length) : url);
    const jar = this.cookies.get(real.host) ?? new Map<string, string>();
    this.cookies.set(real.host, jar);
    const response = await fetch(real, {
      redirect: 'manual',
      headers: {
        cookie: [...jar]
          .filter(([name]) => from === 'here' || !this.#strict.has(name))
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
      },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name!);
      else jar.set(name!, value!);
      if (/samesite=strict/i.test(line)) this.#strict.add(name!);
    }
    return {
      url: response.headers.get('location') ? new URL(response.headers.get('location')!, url).href : url,
      status: response.status,
      body: await response.text(),
    };
  }

  /** Signs in at the provider as the account and returns to the service. Returns the final URL. */
  async vouchedFor(account: string, purpose = 'sign_in', change = (url: string) => url): Promise<string> {
    let page = await this.go(`${publicUrl}/dashboard/api/oidc/begin?purpose=${purpose}`);
    page = { ...page, url: change(page.url) };
    for (let step = 0; step < 12 && !page.url.startsWith(publicUrl); step++) {
      if (page.status < 400 && page.status >= 300) {
        page = await this.go(page.url);
        continue;
      }
      const action = /action="([^"]+)"/.exec(page.body)![1]!;
      const prompt = /name="prompt" value="(\w+)"/.exec(page.body)![1]!;
      const form = prompt === 'login' ? { prompt, login: account, password: 'any' } : { prompt };
      page = await this.go(new URL(action, provider.issuer).href, form);
    }
    return page.url;
  }

  async signIn(account: string, purpose?: string, change?: (url: string) => string): Promise<string> {
    const back = await this.vouchedFor(account, purpose, change);
    const [page, token] = (await this.go(back, undefined, 'elsewhere')).url
      .slice(publicUrl.length)
      .split('#token=');
    if (token !== undefined) this.#vouched = token;
    return page!;
  }

  /** Signs in to an account with its password and authenticator app. */
  async signInLocally(person: TestPerson): Promise<this> {
    const pages = new OwnPages(service.url);
    await signInLocally(pages, person);
    const { host } = new URL(service.url);
    this.cookies.set(
      host,
      (this.cookies.get(host) ?? new Map()).set('parapet_session', pages.cookie!.split('=')[1]!),
    );
    this.#strict.add('parapet_session');
    return this;
  }

  /** Its pages, with the current cookies. */
  dashboard(): OwnPages {
    const { parapet_session: session, ...others } = Object.fromEntries(
      this.cookies.get(new URL(service.url).host) ?? [],
    );
    const pages = new OwnPages(service.url, { cookie: session && `parapet_session=${session}` });
    for (const [name, value] of Object.entries(others)) pages.otherCookies.set(name, value as string);
    pages.vouched = this.#vouched;
    return pages;
  }
}

function account(email: string, verified = true): string {
  const subject = `subject of ${email}`;
  accounts[subject] = { email, email_verified: verified, name: 'Grace' };
  return subject;
}

async function invited(
  email: string,
  role: 'owner' | 'admin' | 'member' = 'member',
  organization = organizationId,
): Promise<string> {
  const { token } = await service.storage.people.transaction(transaction =>
    invite(transaction, {
      organizationId: organization,
      email,
      role,
      actor: { kind: 'operator', id: 'host' },
    }),
  );
  return token;
}

const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, async connection => (await connection.query(text, values)).rows);

/** Tables of what opens an account or comes from it, and the condition of their valid rows. */
const keysOfAccounts: Record<string, string> = {
  totp_factors: 'true',
  passkeys: 'true',
  backup_codes: 'true',
  person_identities: 'true',
  known_devices: 'true',
  one_time_links: 'used_at is null',
  sessions: 'ended_at is null',
  memberships: 'left_at is null',
};

/**
 * Creates an account for someone else's address with the link of an invitation, and sets up everything that opens it.
 */
async function squatter(email: string): Promise<OwnPages> {
  const token = await invited(email, 'admin');
  const pages = new OwnPages(service.url);
  await pages.post('/invitations/account', { token, name: 'Mallory', password: testPassword });
  const { secret } = (await pages.post('/account/totp')).json;
  await pages.post('/account/totp/confirm', { code: await totpCode(secret) });
  const joined = await pages.post('/invitations/accept', { token });
  expect(joined.json.organizations, joined.text).toMatchObject([{ id: organizationId, role: 'admin' }]);
  return pages;
}

/** The redirect of a request whose target is sent unchanged, including what `fetch` would remove. */
function asSent(cookies: ReadonlyMap<string, string>, url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(service.url);
  const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const path = url.slice(publicUrl.length);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, headers }, answer => resolve(answer.resume().headers.location)).on(
      'error',
      reject,
    );
  });
}

/** Links an account at the provider in a new browser, whose pages are signed in. */
async function link(person: TestPerson, subject: string): Promise<OwnPages> {
  const browser = await new Browser().signInLocally(person);
  await browser.signIn(subject, 'link');
  const pages = await pagesOf(browser);
  const before = pages.cookie;
  const linked = await pages.post('/oidc/link');
  expect(linked.status, linked.text).toBe(200);
  expect(pages.cookie, 'another token').not.toBe(before);
  return pages;
}

/** The subject of an identity linked to an admin's account. */
async function linkedAdmin(): Promise<string> {
  const person = await addPerson(service, organizationId, 'admin');
  const subject = account(person.email);
  await link(person, subject);
  return subject;
}

/** The browser's pages, with their session's token. */
async function pagesOf(browser: Browser): Promise<OwnPages> {
  const pages = browser.dashboard();
  await pages.session();
  return pages;
}

/** The number of valid rows of an account in each table. */
async function keysOf(personId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, alive] of Object.entries(keysOfAccounts)) {
    counts[table] = (await sql(`select from ${table} where person_id = $1 and ${alive}`, [personId])).length;
  }
  return counts;
}

/** Signs in to an account with its password and authenticator app, in the browser's pages. */
async function signInLocally(pages: OwnPages, person: TestPerson): Promise<void> {
  await pages.post('/sign-in', { email: person.email, password: person.password });
  if (!person.totpSecret) return;
  const code = await totpCode(person.totpSecret);
  expect((await pages.post('/second-factor', { type: 'totp', code })).json.state).toBe('signed_in');
}

describe('signing in with an OpenID provider', () => {
  it('creates an account for an invited person, accepts no invitation by itself, and recognizes the person later', async () => {
    await invited('grace@example.org');
    const browser = new Browser();
    expect(await browser.signIn(account('grace@example.org'))).toBe('/dashboard/');
    const pages = browser.dashboard();
    const session = await pages.session();
    expect(session).toMatchObject({
      state: 'signed_in',
      person: { name: 'Grace', email: 'grace@example.org', has_password: false, email_verified: true },
      organizations: [],
      invitations: [{ organization_name: 'Test', role: 'member', invited_by: null }],
      oidc_provider: 'Acme',
      step_up_ways: ['provider'],
    });
    const answer = { id: session.invitations[0]!.id };
    expect((await pages.post('/invitations/accept', answer)).json.error_code).toBe('step_up_required');
    expect(await browser.signIn('subject of grace@example.org', 'step_up')).toBe('/dashboard/provider');
    const again = browser.dashboard();
    await again.session();
    expect((await again.post('/oidc/step-up')).status).toBe(200);
    const joined = await again.post('/invitations/accept', answer);
    expect(joined.json).toMatchObject({
      organizations: [{ id: organizationId, role: 'member' }],
      invitations: [],
    });
    const guess = await new OwnPages(service.url).post('/sign-in', {
      email: 'grace@example.org',
      password: 'there is no password',
    });
    expect(guess.json.error_code).toBe('sign_in_failed');
  });

  it('allows declining invitations', async () => {
    await invited('dora@example.org');
    const browser = new Browser();
    await browser.signIn(account('dora@example.org'));
    await browser.signIn('subject of dora@example.org', 'step_up');
    const pages = browser.dashboard();
    const { invitations } = await pages.session();
    await pages.post('/oidc/step-up');
    const declined = await pages.post('/invitations/decline', { id: invitations[0]!.id });
    expect(declined.json).toMatchObject({ organizations: [], invitations: [] });
    expect((await pages.post('/invitations/accept', { id: invitations[0]!.id })).json.error_code).toBe(
      'link_invalid',
    );
  });

  it('updates the address of a known identity, but not to an address of another account', async () => {
    await invited('hal@example.org');
    const subject = account('hal@example.org');
    const first = new Browser();
    await first.signIn(subject);
    const { person } = await first.dashboard().session();
    accounts[subject] = { email: 'hal.new@example.org', email_verified: true, name: 'H' };
    await new Browser().signIn(subject);
    expect((await first.dashboard().session()).person).toMatchObject({
      id: person!.id,
      email: 'hal.new@example.org',
      email_verified: true,
    });
    // The old address is available to its new owner.
    await invited('hal@example.org');
    const next = new Browser();
    accounts['the next hal'] = { email: 'HAL@example.org', email_verified: true, name: 'Hal II' };
    expect(await next.signIn('the next hal')).toBe('/dashboard/');
    expect((await next.dashboard().session()).person!.id).not.toBe(person!.id);
    accounts[subject] = { email: 'hal@example.org', email_verified: true, name: 'H' };
    expect(await new Browser().signIn(subject)).toBe('/dashboard/');
    expect((await first.dashboard().session()).person).toMatchObject({
      id: person!.id,
      email: 'hal.new@example.org',
      email_verified: true,
    });
    // Once no account has it, the account takes the address.
    await sql("update people set email = 'gone@example.org' where email = 'HAL@example.org'");
    await new Browser().signIn(subject);
    expect((await first.dashboard().session()).person).toMatchObject({
      id: person!.id,
      email: 'hal@example.org',
      email_verified: true,
    });
  });

  it('updates an address only after the second factor', async () => {
    const { id, email, totpSecret, ...person } = await addPerson(service, organizationId, 'owner');
    const subject = account(email);
    await link({ id, email, totpSecret, ...person }, subject);
    const asAccount = () =>
      sql('select email, email_verified_at is not null as verified from people where id = $1', [id]);
    const vouch = (address: string) => {
      accounts[subject] = { email: address, email_verified: true, name: 'A' };
    };
    vouch('thief@example.org');
    const thief = new Browser();
    await thief.signIn(subject);
    expect((await thief.dashboard().session()).state).toBe('second_factor');
    expect(await asAccount(), 'by the provider alone').toEqual([{ email, verified: true }]);
    // The thief's assertion, completed or not, does not override a later one.
    vouch('moved@example.org');
    const owner = new Browser();
    await owner.signIn(subject);
    const give = async (browser: Browser, ahead: number) => {
      const pages = await pagesOf(browser);
      return pages.post('/second-factor', { type: 'totp', code: await totpCode(totpSecret!, ahead) });
    };
    expect((await give(owner, 1)).json.state).toBe('signed_in');
    expect(await asAccount()).toEqual([{ email: 'moved@example.org', verified: true }]);
    await sql('update totp_factors set last_step = 0 where person_id = $1', [id]);
    expect((await give(thief, 0)).json.state).toBe('signed_in');
    expect(await asAccount()).toEqual([{ email: 'moved@example.org', verified: true }]);
  });

  it('refuses people who were not invited, and addresses that are unverified, not plain ASCII, or not text', async () => {
    await invited('unverified@example.org');
    await invited('kim@example.org');
    // KELVIN SIGN, which Unicode lowercases to k.
    const kelvin = account('\u212Aim@example.org');
    await invited('list@example.org');
    const list = account('list@example.org');
    Object.assign(accounts[list]!, { email: ['list@example.org'], name: { first: 'Li' } });
    for (const subject of [
      account('stranger@example.org'),
      account('unverified@example.org', false),
      kelvin,
      list,
    ]) {
      const browser = new Browser();
      expect(await browser.signIn(subject)).toBe('/dashboard/sign-in?problem=not_invited');
      expect((await browser.dashboard().session()).state).toBe('signed_out');
    }
  });

  it('refuses an invalid subject', async () => {
    // All lone surrogates are stored as the same character.
    const surrogate = account('surrogate@example.org');
    await invited('surrogate@example.org');
    accounts[surrogate] = { ...accounts[surrogate]!, subject: 'u\ud800' };
    const [nul, long] = [account('nul\0@example.org'), account(`${'s'.repeat(250)}@example.org`)];
    for (const subject of [surrogate, nul, long]) {
      expect(await new Browser().signIn(subject)).toBe('/dashboard/sign-in?problem=provider_refused');
    }
  });

  it('removes invisible and bidirectional control characters from names', async () => {
    await invited('disguised@example.org');
    const subject = account('disguised@example.org');
    const names = ['\u202eecarG\u0000\u200b\ud800 \u2066H\u2069', '\u200b\u3164', ' '];
    const expected = ['ecarG H', 'disguised2@example.org'];
    accounts[subject] = { email: 'disguised@example.org', email_verified: true, name: names[0]! };
    const browser = new Browser();
    expect(await browser.signIn(subject)).toBe('/dashboard/');
    expect((await browser.dashboard().session()).person!.name).toBe(expected[0]);
    await invited(expected[1]!);
    accounts.nameless = { email: expected[1]!, email_verified: true, name: names[1]! };
    const nameless = new Browser();
    expect(await nameless.signIn('nameless')).toBe('/dashboard/');
    expect((await nameless.dashboard().session()).person!.name).toBe(expected[1]);
  });

  it('requires the second factor as usual', async () => {
    const subject = await linkedAdmin();
    const again = new Browser();
    expect(await again.signIn(subject)).toBe('/dashboard/');
    expect((await again.dashboard().session()).state).toBe('second_factor');
  });

  it('makes a browser known after a complete sign-in, with a new token each time', async () => {
    const email = 'known@acme.example';
    const subject = account(email);
    await invited(email);
    const home = new Browser();
    const token = () => home.cookies.get(new URL(service.url).host)!.get('parapet_device');
    const tokens: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      expect(await home.signIn(subject)).toBe('/dashboard/');
      tokens.push(token());
    }
    expect(tokens).toEqual([expect.any(String), expect.any(String)]);
    expect(tokens[1]).not.toBe(tokens[0]);
    const known = await sql(
      'select token_hash from known_devices d join people p on p.id = d.person_id where email = $1',
      [email],
    );
    expect(known.map(row => row.token_hash)).toEqual([hashToken(String(tokens[1]))]);
    const unfinished = new Browser();
    await unfinished.signIn(await linkedAdmin());
    expect(unfinished.cookies.get(new URL(service.url).host)!.has('parapet_device')).toBe(false);
  });

  it('counts sign-ins by the provider like others, and slows them in great number', async () => {
    const subject = await linkedAdmin();
    expect(await new Browser().signIn(subject)).toBe('/dashboard/');
    await sql("update sign_in_attempts set blocked_until = now() + interval '9 minutes'");
    expect(await new Browser().signIn(subject)).toBe('/dashboard/sign-in?problem=too_many_sign_ins');
    await sql("update sign_in_attempts set blocked_until = '-infinity'");
    expect(await new Browser().signIn(subject)).toBe('/dashboard/');
  });

  it('accepts a response only in the browser that requested it, once, and unchanged', async () => {
    await invited('ada@example.org');
    const browser = new Browser();
    const back = await browser.vouchedFor(account('ada@example.org'));
    const refused = '/dashboard/sign-in?problem=provider_refused';
    const finish = async (who: Browser, url: string) => (await who.go(url)).url.slice(publicUrl.length);
    expect(await finish(new Browser(), back), 'a browser without a request').toBe(refused);
    const other = new Browser();
    await other.go(`${publicUrl}/dashboard/api/oidc/begin`);
    expect(await finish(other, back), 'a browser with another request').toBe(refused);
    const attempt = new Map(browser.cookies.get(new URL(service.url).host));
    expect(await finish(browser, back.replace(/state=[^&]+/, 'state=x'))).toBe(refused);
    browser.cookies.set(new URL(service.url).host, new Map(attempt));
    expect(await finish(browser, `${publicUrl}/dashboard/api/oidc/finish`)).toBe(refused);
    browser.cookies.set(new URL(service.url).host, new Map(attempt));
    const before = provider.exchanges();
    expect(await asSent(attempt, back.replace('?', '#?'))).toBe(publicUrl + refused);
    expect(provider.exchanges(), 'a query behind a fragment is none').toBe(before);
    expect(await finish(browser, back)).toBe('/dashboard/');
    browser.cookies.set(new URL(service.url).host, new Map(attempt));
    const exchanges = provider.exchanges();
    expect(await finish(browser, back), 'the same code again').toBe(refused);
    const target = new URL(back);
    const state = target.searchParams.get('state');
    target.searchParams.delete('state');
    for (const end of ['#', '#a', '#?b'])
      expect(await asSent(attempt, `${target.href}&state=${state}${end}`)).toBe(publicUrl + refused);
    browser.cookies.set(new URL(service.url).host, new Map(attempt));
    expect(await finish(browser, back.replace(/code=[^&]+/, 'code=other'))).toBe(refused);
    expect(provider.exchanges(), 'one request to the provider').toBe(exchanges);
  });

  it('does not sign in for a page of another site', async () => {
    const begin = (site: string) =>
      fetch(`${service.url}/dashboard/api/oidc/begin`, {
        redirect: 'manual',
        headers: { 'sec-fetch-site': site },
      });
    for (const site of ['cross-site', 'same-site', 'anything']) {
      const answer = await begin(site);
      expect(answer.headers.get('location'), site).toBe(`${publicUrl}/dashboard/sign-in`);
      expect(answer.headers.getSetCookie(), site).toEqual([]);
    }
    for (const site of ['same-origin', 'none']) {
      expect((await begin(site)).headers.get('location'), site).toContain(provider.issuer);
    }
  });

  it('sends no request to the provider for a sign-in that did not start here', async () => {
    const browser = new Browser();
    await browser.go(`${publicUrl}/dashboard/api/oidc/begin`);
    const cookies = browser.cookies.get(new URL(service.url).host)!;
    const [own, seal] = cookies.get('parapet_oidc')!.split(':');
    const state = 'made up made up made up';
    const content = Buffer.from(
      JSON.stringify({ purpose: 'sign_in', state, nonce: state, codeVerifier: 'y'.repeat(43) }),
    ).toString('base64url');
    const exchanges = provider.exchanges();
    for (const cookie of [content, `${content}:`, `${content}:${seal}`, `${own}:${seal}x`]) {
      cookies.set('parapet_oidc', cookie);
      const query = new URLSearchParams({ code: 'abc', state, iss: provider.issuer });
      const page = await browser.go(`${publicUrl}/dashboard/api/oidc/finish?${query}`);
      expect(page.url, cookie).toBe(`${publicUrl}/dashboard/sign-in?problem=provider_refused`);
    }
    expect(provider.exchanges()).toBe(exchanges);
  });

  it('limits exchanges of one network at a slow provider, without delaying others', async () => {
    const comeBack = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      const begun = await fetch(`${service.url}/dashboard/api/oidc/begin`, { redirect: 'manual', headers });
      const cookie = begun.headers
        .getSetCookie()
        .map(line => line.split(';')[0])
        .join('; ');
      const state = new URL(begun.headers.get('location')!).searchParams.get('state');
      const back = `${service.url}/dashboard/api/oidc/finish?state=${state}&code=any&iss=${encodeURIComponent(provider.issuer)}`;
      return fetch(back, { redirect: 'manual', headers: { ...headers, cookie } });
    };
    const before = provider.exchanges();
    const asked = (exchanges: number) =>
      poll('exchanges', async () => provider.exchanges() - before >= exchanges || undefined);
    let release = () => {};
    provider.hold(new Promise<void>(resolve => (release = resolve)));
    try {
      const isRefused = ({ headers }: Response) =>
        headers.get('location')!.includes('problem=provider_unreachable');
      let refused = 0;
      const many = Array.from({ length: 30 }, async () => {
        const answer = await comeBack('198.51.100.60');
        if (isRefused(answer)) refused += 1;
        return answer;
      });
      await asked(4);
      // Four are running and sixteen wait.
      await poll('refusals', async () => refused >= 10 || undefined);
      const other = comeBack('198.51.100.61');
      await asked(5);
      expect(provider.exchanges() - before).toBe(5);
      release();
      const answers = await Promise.all([...many, other]);
      expect(answers.filter(isRefused)).toHaveLength(10);
    } finally {
      release();
      provider.hold(undefined);
    }
  });

  it('reports that the provider cannot be reached', async () => {
    const settings = { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y', name: 'Gone' };
    const alone = await startService({ publicUrl, oidc: new OidcProvider(settings, client.redirectUri) });
    const answer = await new DashboardClient(alone.url).get('/oidc/begin');
    expect(answer.headers.get('location')).toBe(
      `${publicUrl}/dashboard/sign-in?problem=provider_unreachable`,
    );
    await alone.close();
  });

  it('reads at most 256 KB of a provider’s response, in any encoding', async () => {
    let sent = 0;
    const space = Buffer.alloc(65_536, ' ');
    function* endless() {
      for (; sent < 256 * 1_048_576; sent += space.length) yield space;
    }
    const answers: ((response: ServerResponse, issuer: string) => void)[] = [
      response => void Readable.from(endless()).pipe(response),
      (response, issuer) => {
        const metadata = JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` });
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(metadata + ' '.repeat(2_097_152)));
      },
    ];
    for (const answer of answers) {
      const hostile = createServer((_request, response) => answer(response, issuer));
      hostile.listen(0, '127.0.0.1');
      await once(hostile, 'listening');
      const issuer = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
      const settings = { issuer, clientId: 'x', clientSecret: 'y', name: 'Endless' };
      const signIn = { purpose: 'sign_in', sessionId: null } as const;
      await expect(new OidcProvider(settings, client.redirectUri).begin(signIn)).rejects.toThrow();
      hostile.closeAllConnections();
      hostile.close();
    }
    // Data in the kernel's buffers was sent too.
    expect(sent).toBeLessThan(32 * 1_048_576);
  });
});

describe('an identity whose address an account has', () => {
  it('is linked only by a person who completely signs in to that account', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const subject = account(person.email);
    const browser = new Browser();
    expect(await browser.signIn(subject)).toBe('/dashboard/provider');
    const pages = browser.dashboard();
    expect((await pages.session()).state, 'asserted, and nothing else').toBe('signed_out');
    expect((await pages.post('/oidc/pending')).json).toEqual({
      purpose: 'sign_in',
      email: person.email,
      claimable: true,
    });
    expect((await pages.post('/oidc/link')).status).toBe(401);
    await pages.post('/sign-in', { email: person.email, password: person.password });
    expect((await pages.post('/oidc/link')).json.error_code).toBe('second_factor_required');
    await signInLocally(pages, person);
    const linked = await pages.post('/oidc/link');
    expect(linked.json.identities, linked.text).toMatchObject([{ email: person.email }]);
    expect((await pages.session()).person?.email_verified).toBe(true);
    expect((await pages.post('/oidc/link')).json.error_code, 'once').toBe('link_invalid');
  });

  it('is not linked to an account of the next person in the browser', async () => {
    const [person, next] = [
      await addPerson(service, organizationId, 'member', { secondFactor: false }),
      await addPerson(service, organizationId, 'member', { secondFactor: false }),
    ];
    const browser = new Browser();
    expect(await browser.signIn(account(person.email))).toBe('/dashboard/provider');
    const pages = browser.dashboard();
    await signInLocally(pages, next);
    expect((await pages.post('/oidc/link')).json.error_code, 'of another address').toBe('link_invalid');
    expect((await pages.post('/oidc/pending')).json.email, 'and still valid').toBe(person.email);
  });

  it('is linked only in the session that requested it', async () => {
    const [asking, next] = [
      await addPerson(service, organizationId, 'member', { secondFactor: false }),
      await addPerson(service, organizationId, 'member', { secondFactor: false }),
    ];
    const browser = await new Browser().signInLocally(asking);
    expect(await browser.signIn(account(asking.email), 'link')).toBe('/dashboard/provider');
    for (const person of [next, asking]) {
      await browser.signInLocally(person);
      const pages = await pagesOf(browser);
      expect((await pages.post('/oidc/pending')).json.error_code).toBe('link_invalid');
      expect((await pages.post('/oidc/link')).json.error_code).toBe('link_invalid');
      expect((await pages.get('/account/security')).json.identities).toEqual([]);
    }
  });

  it('is passed to the page only, so that an attempt started by someone else has no effect', async () => {
    const [mallory, victim] = [
      await addPerson(service, organizationId, 'member', { secondFactor: false }),
      await addPerson(service, organizationId, 'member', { secondFactor: false }),
    ];
    const begun = await new Browser().signInLocally(mallory);
    const { url } = await begun.go(`${publicUrl}/dashboard/api/oidc/begin?purpose=link`);
    // A service at another port of this host can read and set its cookies.
    const browser = await new Browser().signInLocally(victim);
    const { host } = new URL(service.url);
    const planted = () => {
      browser.cookies.get(host)!.set('parapet_oidc', begun.cookies.get(host)!.get('parapet_oidc')!);
      return url;
    };
    expect(await browser.signIn(account(victim.email), 'link', planted)).toBe('/dashboard/provider');
    const pages = await pagesOf(browser);
    expect([...browser.cookies.get(host)!.values()].join()).not.toContain(pages.vouched);
    expect((await pages.post('/oidc/pending')).json.error_code).toBe('link_invalid');
    expect((await pages.post('/oidc/link')).json.error_code).toBe('link_invalid');
  });

  it('cannot be linked or step up without being signed in', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const halfway = new OwnPages(service.url);
    await halfway.post('/sign-in', { email: person.email, password: person.password });
    for (const purpose of ['link', 'step_up']) {
      for (const cookie of ['', halfway.cookie!]) {
        const { headers } = await fetch(`${service.url}/dashboard/api/oidc/begin?purpose=${purpose}`, {
          redirect: 'manual',
          headers: { cookie },
        });
        expect([headers.get('location'), headers.get('set-cookie')]).toEqual([
          `${publicUrl}/dashboard/sign-in`,
          null,
        ]);
      }
    }
  });

  it('removes nothing from an account with a verified address', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    await sql('update people set email_verified_at = now() where id = $1', [person.id]);
    const browser = new Browser();
    accounts['a second subject'] = { email: person.email.toUpperCase(), email_verified: true, name: 'M' };
    expect(await browser.signIn('a second subject')).toBe('/dashboard/provider');
    const pages = browser.dashboard();
    expect((await pages.post('/oidc/pending')).json.claimable).toBe(false);
    expect((await pages.post('/oidc/claim')).json.error_code).toBe('account_verified');
    expect((await person.client.session()).state).toBe('signed_in');
  });

  it('belongs to the owner of the address, without anything of the previous account', async () => {
    const email = 'victim@example.org';
    const mallory = await squatter(email);
    const path = `/organizations/${organizationId}`;
    // One of everything that could open the account.
    await mallory.post('/account/backup-codes');
    const [{ id: squatted }] = await sql('select id from people where email = $1', [email]);
    const link = await makeLink(service.storage.people, squatted);
    await sql("insert into person_identities (issuer, subject, person_id) values ('x', 'mallory', $1)", [
      squatted,
    ]);
    await sql(
      "insert into passkeys (person_id, credential_id, public_key, sign_count, transports, name) values ($1, 'x', 'x', 0, '{}', 'x')",
      [squatted],
    );
    for (const [table, alive] of Object.entries(keysOfAccounts)) {
      const rows = await sql(`select from ${table} where person_id = $1 and ${alive}`, [squatted]);
      expect(rows.length, table).toBeGreaterThan(0);
    }
    const elsewhere = await service.createOrganization();
    await invited(email, 'admin', elsewhere);

    const victim = new Browser();
    expect(await victim.signIn(account(email))).toBe('/dashboard/provider');
    expect((await mallory.session()).organizations, 'no invitation is accepted automatically').toHaveLength(
      1,
    );
    const pages = victim.dashboard();
    const claimed = await pages.post('/oidc/claim');
    expect(claimed.json, claimed.text).toMatchObject({
      state: 'signed_in',
      person: { email, name: 'Grace', has_password: false, email_verified: true },
      organizations: [],
      second_factors: { totp: false, passkeys: 0, backup_codes_left: 0 },
    });
    expect(claimed.json.person.id).not.toBe(squatted);
    expect(claimed.json.invitations.map((one: { role: string }) => one.role)).toEqual(['admin']);

    expect((await mallory.session()).state).toBe('signed_out');
    const again = new OwnPages(service.url);
    expect((await again.post('/sign-in', { email, password: testPassword })).json.error_code).toBe(
      'sign_in_failed',
    );
    expect((await again.post('/password-reset/preview', { token: link.token })).status).toBe(400);
    const rest: Record<string, unknown> = {};
    for (const [table, alive] of Object.entries(keysOfAccounts)) {
      const rows = await sql(`select from ${table} where person_id = $1 and ${alive}`, [squatted]);
      rest[table] = rows.length;
    }
    expect(rest).toEqual(Object.fromEntries(Object.keys(keysOfAccounts).map(table => [table, 0])));
    const [old] = await sql('select email, password_hash from people where id = $1', [squatted]);
    const nobodys = new RegExp(`^closed-${squatted}-[0-9a-f-]{36}@parapet\\.invalid$`);
    expect(old).toEqual({ email: expect.stringMatching(nobodys), password_hash: null });
    // The organization's audit log has the changes.
    const log = await sql(
      `select actor_kind, actor_id, detail from ${recordedEntries}
        where object_id = $1 and organization_id = $2 and action = 'person.account_closed'`,
      [squatted, organizationId],
    );
    const claimer = { actor_kind: 'person', actor_id: claimed.json.person.id };
    expect(log).toMatchObject([{ ...claimer, detail: { provider: expect.stringMatching(/^http/) } }]);
    expect((await pages.get(`${path}/people`)).status, 'it joined nothing').toBe(404);

    // The role requires a second factor before the invitation can be accepted.
    await victim.cookies.get(new URL(service.url).host)!.set('parapet_session', pages.cookie!.split('=')[1]!);
    await victim.signIn(account(email), 'step_up');
    const steppedUp = victim.dashboard();
    await steppedUp.session();
    await steppedUp.post('/oidc/step-up');
    const answer = { id: claimed.json.invitations[0].id };
    expect((await steppedUp.post('/invitations/accept', answer)).json.error_code).toBe(
      'second_factor_enrolment_required',
    );
    const own = (await steppedUp.post('/account/totp')).json;
    await steppedUp.post('/account/totp/confirm', { code: await totpCode(own.secret) });
    expect((await steppedUp.post('/invitations/accept', answer)).json.organizations).toMatchObject([
      { id: elsewhere, role: 'admin' },
    ]);
  });

  it('is claimed once by several provider accounts for one address', async () => {
    const email = 'twice@example.org';
    const mallory = await squatter(email);
    const [{ id: squatted }] = await sql('select id from people where email = $1', [email]);
    const subjects = ['first of twice', 'second of twice'];
    const claims = [];
    for (const subject of subjects) {
      accounts[subject] = { email, email_verified: true, name: 'Grace' };
      const browser = new Browser();
      await browser.signIn(subject);
      const pages = browser.dashboard();
      claims.push(() => pages.post('/oidc/claim'));
    }
    const lock = `select from people where id = '${squatted}' for update`;
    const answers = await raceBehindLock(service.database.connection, lock, claims);
    expect(answers.map(answer => answer.json.error_code ?? answer.json.state).sort()).toEqual([
      'account_verified',
      'signed_in',
    ]);
    expect((await mallory.session()).state).toBe('signed_out');
    const rows = await sql(
      'select p.id from people p join person_identities i on i.person_id = p.id where p.email = $1',
      [email],
    );
    expect(rows).toHaveLength(1);
  });

  it('does not sign in if the account is closed during its sign-in', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const subject = account('linked-elsewhere@example.org');
    await sql('insert into person_identities (issuer, subject, person_id) values ($1, $2, $3)', [
      provider.issuer,
      subject,
      person.id,
    ]);
    const browser = new Browser();
    const back = await browser.vouchedFor(subject);
    const lock = `select from people where id = '${person.id}' for update; delete from person_identities where person_id = '${person.id}'`;
    const [page] = await raceBehindLock(service.database.connection, lock, [() => browser.go(back)]);
    expect(page!.url).toContain('problem=provider_refused');
    expect((await browser.dashboard().session()).state).toBe('signed_out');
  });

  it('removes what was linked and opened before, when it verifies the address', async () => {
    const person = await addPerson(service, organizationId, 'owner');
    const others = account(`not-${person.email}`);
    await link(person, others);
    await sql('update totp_factors set last_step = 0 where person_id = $1', [person.id]);
    const older = await makeLink(service.storage.people, person.id);
    const pages = await link(person, account(person.email));
    expect((await pages.session()).person).toMatchObject({ email_verified: true, has_password: true });
    expect(await keysOf(person.id)).toMatchObject({
      person_identities: 1,
      sessions: 1,
      one_time_links: 0,
      totp_factors: 1,
      known_devices: 1,
    });
    expect((await pages.session()).state).toBe('signed_in');
    expect((await person.client.session()).state, 'an earlier session').toBe('signed_out');
    expect((await pages.post('/password-reset/preview', { token: older.token })).status).toBe(400);
    const stranger = new Browser();
    await stranger.signIn(others);
    expect((await stranger.dashboard().session()).state, 'an earlier identity').toBe('signed_out');
    // After the verification, later links are kept.
    await sql('update totp_factors set last_step = 0 where person_id = $1', [person.id]);
    accounts[`another of ${person.email}`] = accounts[`subject of ${person.email}`]!;
    await link(person, `another of ${person.email}`);
    expect(await keysOf(person.id)).toMatchObject({ person_identities: 2, sessions: 2 });
    const log = await sql(`select action from ${recordedEntries} where object_id = $1`, [person.id]);
    expect(log.filter(({ action }) => action === 'person.address_verified')).toHaveLength(1);
  });

  it('removes the same if the provider has verified the address since it was linked', async () => {
    const person = await addPerson(service, organizationId, 'member');
    await link(person, account(`not-${person.email}`));
    const subject = account(person.email, false);
    await link(person, subject);
    const verified = async () =>
      (await sql('select email_verified_at from people where id = $1', [person.id]))[0];
    expect(await verified()).toEqual({ email_verified_at: null });
    expect(await keysOf(person.id)).toMatchObject({ person_identities: 2, sessions: 3 });
    account(person.email);
    const browser = new Browser();
    await browser.signIn(subject);
    expect(await browser.dashboard().session()).toMatchObject({
      state: 'signed_in',
      person: { id: person.id, email_verified: true },
    });
    expect(await keysOf(person.id)).toMatchObject({ person_identities: 1, sessions: 1 });
  });

  it('ends the sessions that it opened, except the current one, when it is unlinked', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const subject = account(`elsewhere-${person.email}`);
    const pages = await link(person, subject);
    const opened = new Browser();
    await opened.signIn(subject);
    expect((await opened.dashboard().session()).state).toBe('signed_in');
    const [{ id }] = (await pages.get('/account/security')).json.identities;
    expect((await pages.delete(`/account/identities/${id}`)).status).toBe(200);
    expect((await opened.dashboard().session()).state).toBe('signed_out');
    expect((await pages.session()).state).toBe('signed_in');
    expect((await person.client.session()).state, 'opened with the password').toBe('signed_in');
  });

  it('cannot be removed if it is the only way to sign in', async () => {
    const person = await addPerson(service, organizationId, 'member');
    const pages = await link(person, account(`only-${person.email}`));
    await sql('update people set password_hash = null where id = $1', [person.id]);
    const identities = async () => (await pages.get('/account/security')).json.identities;
    const [{ id }] = await identities();
    const refused = await pages.delete(`/account/identities/${id}`);
    expect(refused).toMatchObject({ status: 400, json: { error_code: 'last_sign_in_method' } });
    expect(await identities()).toMatchObject([{ id }]);
  });

  it('is linked to one account only', async () => {
    const [one, other] = [
      await addPerson(service, organizationId, 'member'),
      await addPerson(service, organizationId, 'member'),
    ];
    const subject = account('shared@example.org');
    const linkTo = async (person: TestPerson) => {
      const browser = await new Browser().signInLocally(person);
      await browser.signIn(subject, 'link');
      return (await pagesOf(browser)).post('/oidc/link');
    };
    const first = await linkTo(one);
    expect(first.json.identities).toMatchObject([{ email: 'shared@example.org' }]);
    expect((await linkTo(other)).json.error_code).toBe('identity_taken');
    const { email_verified } = (await one.client.session()).person!;
    expect(email_verified, 'of another address').toBe(false);
    const { id } = first.json.identities[0];
    const again = { password: one.password };
    expect((await one.client.post('/step-up/password', again, { origin: publicUrl })).status).toBe(200);
    const removed = await one.client.delete(`/account/identities/${id}`, { origin: publicUrl });
    expect(removed.json).toEqual({ identities: [] });
  });
});

describe('a step-up by the provider', () => {
  it('is accepted after a new sign-in there, of the session’s person', async () => {
    await invited('eve@example.org');
    const browser = new Browser();
    const subject = account('eve@example.org');
    await browser.signIn(subject);
    const rename = (pages: OwnPages) => pages.request('PATCH', '/account', { name: 'Eve' });
    const fresh = browser.dashboard();
    await fresh.session();
    expect((await rename(fresh)).json.error_code).toBe('step_up_required');

    // The parameters that require a new sign-in are in a URL that the person can change.
    const silently = (url: string) => url.replace(/&(prompt|max_age)=[^&]+/g, '');
    expect(await browser.signIn(subject, 'step_up', silently)).toBe(
      '/dashboard/provider?problem=provider_refused',
    );
    expect((await browser.dashboard().post('/oidc/pending')).status).toBe(400);

    await browser.signIn(subject);
    const signedIn = browser.dashboard();
    await signedIn.session();
    expect((await signedIn.post('/oidc/step-up')).json.error_code, 'no step-up').toBe('link_invalid');

    // The same pages, with another person at the provider.
    const mixed = new Browser();
    const ours = new URL(service.url).host;
    mixed.cookies.set(ours, new Map(browser.cookies.get(ours)));
    await mixed.signIn(account('other@example.org'), 'step_up');
    const other = mixed.dashboard();
    await other.session();
    expect((await other.post('/oidc/step-up')).json.error_code).toBe('reauthentication_failed');

    await browser.signIn(subject, 'step_up');
    const steppedUp = browser.dashboard();
    await steppedUp.session();
    const copy = steppedUp.at(service.url);
    expect((await steppedUp.post('/oidc/step-up')).status).toBe(200);
    expect((await copy.session()).state, 'with a new token').toBe('signed_out');
    expect((await rename(steppedUp)).status).toBe(200);
  });

  it('is not enough for a person with a password', async () => {
    await invited('pat@example.org');
    const browser = new Browser();
    const subject = account('pat@example.org');
    await browser.signIn(subject);
    await asOwner(service.database.connection, owner =>
      owner.query("update people set password_hash = 'x' where email = 'pat@example.org'"),
    );
    await browser.signIn(subject, 'step_up');
    const pages = browser.dashboard();
    expect((await pages.session()).step_up_ways).toEqual(['password']);
    expect((await pages.post('/oidc/step-up')).json.error_code).toBe('step_up_required');
    expect((await pages.session()).stepped_up_until).toBeNull();
  });
});

describe('an ID token', () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  const forged = async (forgery: Forgery) => {
    await invited('signed@example.com');
    provider.forge(forgery);
    const page = new Browser().signIn(account('signed@example.com'));
    return page.finally(() => provider.forge(undefined));
  };

  it('is accepted with a new valid signature', async () => {
    expect(await forged({ algorithm: 'RS256' })).toBe('/dashboard/');
  });

  it.each<[string, () => Forgery]>([
    ['a signature that does not match', () => ({ claims: { auth_time: seconds() + 1 } })],
    ['no signature', () => ({ algorithm: 'none' })],
    ['an algorithm that is not allowed', () => ({ algorithm: 'RS512' })],
    ['its expiry in the past', () => ({ algorithm: 'RS256', claims: { exp: seconds() - 60 } })],
    ['another client’s id', () => ({ algorithm: 'RS256', claims: { aud: 'another client' } })],
    ['another issuer', () => ({ algorithm: 'RS256', claims: { iss: 'https://issuer.example' } })],
    ['another nonce', () => ({ algorithm: 'RS256', claims: { nonce: 'another' } })],
    ['no subject', () => ({ algorithm: 'RS256', claims: { sub: undefined } })],
  ])('is refused with %s', async (_what, forgery) => {
    expect(await forged(forgery())).toBe('/dashboard/sign-in?problem=provider_refused');
  });
});

it('refuses metadata of another issuer', async () => {
  const issuers: string[] = [];
  const server = createServer((_request, response) => {
    const issuer = issuers.shift()!;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { issuer, clientId: 'x', clientSecret: 'y', name: 'Acme' };
  const asked = new OidcProvider(settings, client.redirectUri);
  issuers.push('http://127.0.0.1:1', issuer);
  const signIn = { purpose: 'sign_in', sessionId: null } as const;
  await expect(asked.begin(signIn)).rejects.toThrow('issuer');
  expect((await asked.begin(signIn)).url).toContain(`${issuer}/auth`);
  server.closeAllConnections();
  server.close();
});
