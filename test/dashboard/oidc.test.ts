import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OidcProvider } from '../../src/dashboard/oidc.ts';
import { invite } from '../../src/storage/people/invitations.ts';
import { DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { type ProviderAccount, startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';
import { addPerson } from '../support/people.ts';
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

/** A browser with cookies for both hosts, without pages: it follows redirects and fills in the provider's forms. */
class Browser {
  readonly cookies = new Map<string, Map<string, string>>();

  async go(
    url: string,
    form?: Record<string, string>,
  ): Promise<{ url: string; status: number; body: string }> {
    // The service is known to people, and to the provider, by another name than it listens at.
    const real = new URL(url.startsWith(publicUrl) ? service.url + url.slice(publicUrl.length) : url);
    const jar = this.cookies.get(real.host) ?? new Map<string, string>();
    this.cookies.set(real.host, jar);
    const response = await fetch(real, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    return {
      url: response.headers.get('location') ? new URL(response.headers.get('location')!, url).href : url,
      status: response.status,
      body: await response.text(),
    };
  }

  /** Signs in at the provider as the account and comes back to the service. Returns where it came back to. */
  async vouchedFor(account: string): Promise<string> {
    let page = await this.go(`${publicUrl}/dashboard/api/oidc/begin`);
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

  async signIn(account: string): Promise<string> {
    const back = await this.vouchedFor(account);
    return (await this.go(back)).url.slice(publicUrl.length);
  }

  dashboard(): DashboardClient {
    const session = this.cookies.get(new URL(service.url).host)?.get('parapet_session');
    return new DashboardClient(service.url, { cookie: session && `parapet_session=${session}` });
  }
}

function account(email: string, verified = true): string {
  const subject = `subject of ${email}`;
  accounts[subject] = { email, email_verified: verified, name: 'Grace' };
  return subject;
}

async function invited(email: string, role: 'owner' | 'member' = 'member'): Promise<void> {
  await service.storage.people.transaction(transaction =>
    invite(transaction, { organizationId, email, role, actor: { kind: 'operator', id: 'host' } }),
  );
}

describe('signing in with an OpenID provider', () => {
  it('lets in who was invited, and knows them again', async () => {
    await invited('grace@example.org');
    const browser = new Browser();
    expect(await browser.signIn(account('grace@example.org'))).toBe('/dashboard/');
    const session = await browser.dashboard().session();
    expect(session).toMatchObject({
      state: 'signed_in',
      person: { name: 'Grace', email: 'grace@example.org', has_password: false },
      organizations: [{ id: organizationId, role: 'member' }],
      oidc_provider: 'Acme',
    });
    accounts['subject of grace@example.org'] = { email: 'new@example.org', email_verified: true, name: 'G' };
    const again = new Browser();
    expect(await again.signIn('subject of grace@example.org')).toBe('/dashboard/');
    expect((await again.dashboard().session()).person?.id, 'by the subject').toBe(session.person?.id);
    const guess = await new DashboardClient(service.url).request(
      'POST',
      '/sign-in',
      { email: 'grace@example.org', password: 'there is no password' },
      { origin: publicUrl },
    );
    expect(guess.json.error_code).toBe('sign_in_failed');
  });

  it('keeps out who was not invited, and whose address nobody has verified', async () => {
    await invited('unverified@example.org');
    for (const subject of [account('stranger@example.org'), account('unverified@example.org', false)]) {
      const browser = new Browser();
      expect(await browser.signIn(subject)).toBe('/dashboard/sign-in?problem=not_invited');
      expect((await browser.dashboard().session()).state).toBe('signed_out');
    }
  });

  it('stands for the password alone: the second factor is asked for as always', async () => {
    const person = await addPerson(service, organizationId, 'admin');
    const browser = new Browser();
    expect(await browser.signIn(account(person.email))).toBe('/dashboard/');
    const dashboard = browser.dashboard();
    expect((await dashboard.session()).state).toBe('second_factor');
    const answer = await dashboard.request(
      'POST',
      '/second-factor',
      { type: 'totp', code: await totpCode(person.totpSecret!) },
      { origin: publicUrl },
    );
    expect(answer.json.state).toBe('signed_in');
    await invited('owner@example.org', 'owner');
    const newcomer = new Browser();
    await newcomer.signIn(account('owner@example.org'));
    expect((await newcomer.dashboard().session()).state).toBe('enrolment');
  });

  it('takes an answer only in the browser that asked, once, and as it was given', async () => {
    await invited('ada@example.org');
    const browser = new Browser();
    const back = await browser.vouchedFor(account('ada@example.org'));
    const refused = '/dashboard/sign-in?problem=provider_refused';
    const finish = async (who: Browser, url: string) => (await who.go(url)).url.slice(publicUrl.length);
    expect(await finish(new Browser(), back), 'a browser that asked for nothing').toBe(refused);
    const other = new Browser();
    await other.go(`${publicUrl}/dashboard/api/oidc/begin`);
    expect(await finish(other, back), 'a browser that asked for another').toBe(refused);
    const attempt = new Map(browser.cookies.get(new URL(service.url).host));
    expect(await finish(browser, back.replace(/state=[^&]+/, 'state=x'))).toBe(refused);
    browser.cookies.set(new URL(service.url).host, new Map(attempt));
    expect(await finish(browser, `${publicUrl}/dashboard/api/oidc/finish`)).toBe(refused);
    browser.cookies.set(new URL(service.url).host, new Map(attempt));
    expect(await finish(browser, back)).toBe('/dashboard/');
    browser.cookies.set(new URL(service.url).host, new Map(attempt));
    expect(await finish(browser, back), 'the same code again').toBe(refused);
  });

  it('says that the provider cannot be reached', async () => {
    const settings = { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y', name: 'Gone' };
    const alone = await startService({ publicUrl, oidc: new OidcProvider(settings, client.redirectUri) });
    const answer = await new DashboardClient(alone.url).get('/oidc/begin');
    expect(answer.headers.get('location')).toBe(
      `${publicUrl}/dashboard/sign-in?problem=provider_unreachable`,
    );
    await alone.close();
  });
});
