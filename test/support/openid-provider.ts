import { createPrivateKey, createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package has no types
import Provider from 'oidc-provider';

export interface TestProvider {
  readonly issuer: string;
  /** The number of code exchanges. */
  readonly exchanges: () => number;
  /** Delays exchanges until the promise resolves. */
  hold(until: Promise<void> | undefined): void;
  /** Changes ID tokens after they were signed. */
  forge(change: Forgery | undefined): void;
  close(): Promise<void>;
}

export interface Forgery {
  readonly claims?: object;
  /** Signs the changed token with this algorithm. By default, the signature no longer matches. */
  readonly algorithm?: 'RS256' | 'RS512' | 'none';
}

/** A person with an account at the provider. */
export interface ProviderAccount {
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  /** The provider's subject, if it differs from the name entered in the form. */
  readonly subject?: string;
}

/**
 * A real OpenID provider on loopback with one client. Its development pages accept any name and password, so a test
 * signs in as anyone.
 */
export async function startOpenIdProvider(
  client: { readonly id: string; readonly secret: string; readonly redirectUri: string },
  accounts: Readonly<Record<string, ProviderAccount>>,
): Promise<TestProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...createPrivateKey(privateKey).export({ format: 'jwk' }), use: 'sig' }] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'RS512'] },
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
  let forgery: Forgery | undefined;
  let held: Promise<void> | undefined;
  let exchanges = 0;
  provider.use(async (context: { path: string; body: { id_token?: string } }, next: () => Promise<void>) => {
    if (context.path === '/token') {
      exchanges += 1;
      await held;
    }
    await next();
    const [header, payload, signature] = context.body?.id_token?.split('.') ?? [];
    if (!forgery || !payload) return;
    const { claims, algorithm: alg } = forgery;
    const changed = `${withMembers(header!, alg && { alg })}.${withMembers(payload, claims)}`;
    const sign = (hash: string) => createSign(hash).update(changed).sign(privateKey, 'base64url');
    const signatures = { RS256: () => sign('sha256'), RS512: () => sign('sha512'), none: () => '' };
    context.body.id_token = `${changed}.${alg ? signatures[alg]() : signature}`;
  });
  server.on('request', provider.callback());
  return {
    issuer,
    exchanges: () => exchanges,
    hold: until => {
      held = until;
    },
    forge: change => {
      forgery = change;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** A part of a token, JSON in base64url, with other members. */
function withMembers(part: string, members: object | undefined): string {
  const json = { ...JSON.parse(Buffer.from(part, 'base64url').toString('utf8')), ...members };
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}
