import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  type Configuration,
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
import { boundedFetch } from './bounded-fetch.ts';

/** An OpenID provider as the operator names it (`PARAPET_OIDC_…`). */
export interface OidcSettings {
  /** The issuer's URL, below which its metadata is discovered (OpenID Connect Discovery 1.0, section 4). */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button on the sign-in page calls it. */
  readonly name: string;
}

/** What a browser keeps between leaving for the provider and coming back. */
export interface OidcAttempt extends IdentityErrand {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Seconds since the provider has asked for a password or the like, within which that confirms who somebody is. */
const freshSeconds = 300;

/** Algorithms that may sign ID tokens: asymmetric, and those that providers use (RFC 8725, section 3.1). */
const signingAlgorithms: readonly unknown[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** Bytes of an answer of the provider's. Its metadata and keys, and the claims of a person, have some thousands. */
const mostAnswerBytes = 262_144;

/** Addresses that the dashboard takes: no other is ever one that somebody was invited by. */
const emailForm = new RegExp(emailPattern);

/** Signs people in with an OpenID provider: authorization code flow with PKCE, state and nonce (RFC 9700). */
export class OidcProvider {
  readonly name: string;
  readonly #settings: OidcSettings;
  readonly #redirectUri: string;
  /** By network: nobody is known before the provider has vouched for them. A provider that is slow takes up to 30 seconds. */
  readonly #exchanges = new Permits({
    atOnce: 32,
    perHolder: 4,
    reserved: 16,
    waitingPerHolder: 16,
    longestWaitMs: 10_000,
    refusal: () => new Refusal('too_busy', { retry_after_seconds: 10 }),
  });
  #configuration: Promise<Configuration> | undefined;

  /** @param redirectUri where the provider sends browsers back to; it has to be registered there */
  constructor(settings: OidcSettings, redirectUri: string) {
    this.name = settings.name;
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  /** Where to send the browser, and what it has to keep meanwhile. Rejects when the provider cannot be reached. */
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
      // Asks again, whoever is signed in there (OpenID Connect Core 1.0, section 3.1.2.1).
      ...(errand.purpose === 'step_up' ? { prompt: 'login', max_age: '0' } : {}),
    });
    return { url: url.href, attempt };
  }

  /**
   * Whom the provider has sent back. Throws `too_busy`, and rejects whatever does not fit the attempt, and for a step-up who was not asked again:
   * the address at the provider is in the person's hands, the time of the sign-in is signed.
   *
   * @param query of the request that came back
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
      throw new Error('the provider signed its ID token by an algorithm that is not allowed');
    const { iss, sub } = tokens.claims()!;
    // OpenID Connect Core 1.0, section 2, has ASCII; some providers have more.
    // Of lone surrogates all are stored as one character: two subjects would be one account.
    if (!/^\P{Cc}{1,255}$/u.test(sub) || ![iss, sub].every(text => text.isWellFormed()))
      throw new Error('the provider gave a subject that is no identifier');
    const user = await fetchUserInfo(configuration, tokens.access_token, sub);
    return {
      issuer: iss,
      subject: sub,
      email: user.email_verified === true && isEmail(user.email) ? user.email : null,
      name: typeof user.name === 'string' ? cleanName(user.name, 100) : null,
    };
  }

  /** Once for the process; a provider that cannot be reached is asked again by the next who signs in. */
  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    this.#configuration ??= discovery(url, clientId, clientSecret, ClientSecretBasic(clientSecret), {
      timeout: 10,
      [customFetch]: boundedFetch(mostAnswerBytes),
      execute: [
        // TLS to the provider alone would vouch for the ID token: its signature is verified too (OWASP ASVS 5.0, 9.1.1).
        enableNonRepudiationChecks,
        // The operator's own word: the issuer is http, as on loopback.
        ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    }).catch(error => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }
}

/** What the header of a token that was verified names (RFC 7515, section 4.1.1). */
function algorithmOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString('utf8')).alg;
}

function isEmail(email: unknown): email is string {
  return typeof email === 'string' && email.length <= 254 && emailForm.test(email);
}
