import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { emailPattern } from '../../contract/dashboard/session.ts';
import { cleanName } from '../../contract/values.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { Permits } from '../../domain/permits.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Identity } from '../../resources/people/identities.ts';
import type { IdentityErrand } from '../../resources/people/pending-identities.ts';

/** OpenID provider settings (`PARAPET_OIDC_…`). */
export interface OidcSettings {
  /** Issuer URL for metadata discovery (OpenID Connect Discovery 1.0, section 4). */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Provider name on the sign-in button. */
  readonly name: string;
}

/** State that the browser keeps during the visit to the provider. */
export interface OidcAttempt extends IdentityErrand {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Maximum age in seconds of the authentication at the provider for a step-up. */
const freshSeconds = 300;

/** Accepted ID token algorithms: asymmetric, and in use by providers (RFC 8725, section 3.1). */
const signingAlgorithms: readonly unknown[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** Maximum bytes of a provider response. Metadata, keys and a person's claims have a few thousand. */
const mostAnswerBytes = 262_144;

/** Email addresses that the dashboard accepts, also for invitations. */
const emailForm = new RegExp(emailPattern);

/** Signs people in with an OpenID provider: authorization code flow with PKCE, state and nonce (RFC 9700). */
export class OidcProvider {
  readonly name: string;
  readonly #settings: OidcSettings;
  readonly #redirectUri: string;
  /** Per network, since clients are unknown before the exchange. A slow provider takes up to 30 seconds. */
  readonly #exchanges = new Permits({
    atOnce: 32,
    perHolder: 4,
    reserved: 16,
    waitingPerHolder: 16,
    longestWaitMs: 10_000,
    refusal: () => new Refusal('too_busy', { retry_after_seconds: 10 }),
  });
  #configuration: Promise<Configuration> | undefined;

  /** @param redirectUri callback URL, as registered at the provider */
  constructor(settings: OidcSettings, redirectUri: string) {
    this.name = settings.name;
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  /** Returns the authorization URL and the attempt to keep in the browser. Rejects if the provider cannot be reached. */
  async begin(errand: IdentityErrand): Promise<{ url: string; attempt: OidcAttempt }> {
    const configuration = await this.#discover();
    const attempt = {
      ...errand,
      state: randomState(),
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
    };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
      // Requests a new authentication, regardless of the session at the provider (OpenID Connect Core 1.0, section 3.1.2.1).
      ...(errand.purpose === 'step_up' ? { prompt: 'login', max_age: '0' } : {}),
    });
    return { url: url.href, attempt };
  }

  /**
   * Returns the identity from the provider. Throws `too_busy`. Rejects responses that do not match the attempt, and step-ups
   * without a new authentication: clients can change the request to the provider, but the authentication time is signed.
   *
   * @param query of the callback request
   * @param address of the client
   */
  finish(query: URLSearchParams, attempt: OidcAttempt, address: string): Promise<Identity> {
    const holder = clientNetwork(address);
    return this.#exchanges.use({ holder }, () => this.#exchange(query, attempt));
  }

  async #exchange(query: URLSearchParams, attempt: OidcAttempt): Promise<Identity> {
    const configuration = await this.#discover();
    const answer = new URL(`?${query}`, this.#redirectUri);
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.codeVerifier,
      idTokenExpected: true,
      ...(attempt.purpose === 'step_up' ? { maxAge: freshSeconds } : {}),
    });
    if (!signingAlgorithms.includes(algorithmOf(tokens.id_token!)))
      throw new Error('the provider signed its ID token with an algorithm that is not allowed');
    const { iss, sub } = tokens.claims()!;
    // OpenID Connect Core 1.0, section 2, requires ASCII, but some providers send other characters. All lone surrogates are
    // stored as the same character, which would merge two subjects into one account.
    if (!/^\P{Cc}{1,255}$/u.test(sub) || ![iss, sub].every(text => text.isWellFormed()))
      throw new Error('the provider returned a subject that is not a valid identifier');
    const user = await fetchUserInfo(configuration, tokens.access_token, sub);
    return {
      issuer: iss,
      subject: sub,
      email: user.email_verified === true && isEmail(user.email) ? user.email : null,
      name: typeof user.name === 'string' ? cleanName(user.name, 100) : null,
    };
  }

  /** Discovered once per process. After a failure, the next sign-in tries again. */
  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    this.#configuration ??= discovery(url, clientId, clientSecret, ClientSecretBasic(clientSecret), {
      timeout: 10,
      [customFetch]: boundedFetch(mostAnswerBytes),
      execute: [
        // The ID token signature is verified too, although TLS to the provider would suffice (OWASP ASVS 5.0, 9.1.1).
        enableNonRepudiationChecks,
        // The operator has configured an http issuer, as on loopback.
        ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    }).catch(error => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }
}

/** Algorithm in the header of a verified token (RFC 7515, section 4.1.1). */
function algorithmOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString('utf8')).alg;
}

function isEmail(email: unknown): email is string {
  return typeof email === 'string' && email.length <= 254 && emailForm.test(email);
}

/**
 * `fetch` with a size limit for responses, in bytes after decompression.
 *
 * @returns a fetch whose response body fails with an error beyond the limit
 */
function boundedFetch(mostBytes: number): CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > mostBytes) controller.error(new Error(`response exceeds ${mostBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body?.pipeThrough(bound), { status, statusText, headers });
  };
}
