import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package brings no types
import Provider from 'oidc-provider';

export interface TestProvider {
  readonly issuer: string;
  /** Codes that it was asked to exchange. */
  readonly exchanges: () => number;
  /** Has exchanges wait for it. */
  hold(until: Promise<void> | undefined): void;
  /** Has claims of ID tokens changed after they were signed. */
  forge(claims: object | undefined): void;
  close(): Promise<void>;
}

/** Somebody who has an account at the provider. */
export interface ProviderAccount {
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  /** What the provider calls them, where that is not what they say in the form. */
  readonly subject?: string;
}

/**
 * A real OpenID provider on loopback with one client. Whoever signs in there says in the login form who they are: its
 * development pages ask for a name and a password, and take any.
 */
export async function startOpenIdProvider(
  client: { readonly id: string; readonly secret: string; readonly redirectUri: string },
  accounts: Readonly<Record<string, ProviderAccount>>,
): Promise<TestProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        subject_type: 'pairwise',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    cookies: { keys: ['only for tests'] },
    findAccount: (_context: unknown, sub: string) =>
      accounts[sub] && { accountId: sub, claims: async () => ({ sub, ...accounts[sub] }) },
    subjectTypes: ['public', 'pairwise'],
    pairwiseIdentifier: (_context: unknown, sub: string) => accounts[sub]?.subject ?? sub,
  });
  let forged: object | undefined;
  let held: Promise<void> | undefined;
  let exchanges = 0;
  provider.use(async (context: { path: string; body: { id_token?: string } }, next: () => Promise<void>) => {
    if (context.path === '/token') {
      exchanges += 1;
      await held;
    }
    await next();
    const [header, payload, signature] = context.body?.id_token?.split('.') ?? [];
    if (!forged || !payload) return;
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')), ...forged };
    const changed = Buffer.from(JSON.stringify(claims)).toString('base64url');
    context.body.id_token = [header, changed, signature].join('.');
  });
  server.on('request', provider.callback());
  return {
    issuer,
    exchanges: () => exchanges,
    hold: until => {
      held = until;
    },
    forge: claims => {
      forged = claims;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
