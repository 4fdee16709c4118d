import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/refusal.ts';
import {
  advancePasskey,
  assertRoomForPasskey,
  findPasskey,
  listCredentials,
  type StoredPasskey,
} from '../../resources/people/passkeys.ts';
import { setChallenge, takeChallenge } from '../../resources/people/sessions.ts';
import type { DashboardServices } from '../services.ts';
import { hasFewEntries, isOrdinary } from './authenticator-data.ts';

/** Loaded on first use, since loading takes a quarter of a second. */
export const webauthn = () => import('@simplewebauthn/server');
const webauthnHelpers = () => import('@simplewebauthn/server/helpers');

type AuthenticatorTransport = NonNullable<RegistrationResponseJSON['response']['transports']>[number];

/**
 * The relying party of a request: the host that people see, and the origin that their browser signs. Without a public URL it
 * is the origin in the request. Clients control that value: it is sufficient for requesting a passkey and, in a session with
 * a step-up, for adding one, but not for accepting a response.
 */
export function relyingParty(
  request: FastifyRequest,
  publicUrl: string | undefined,
): { id: string; origin: string } {
  const given = publicUrl ?? request.headers.origin;
  if (!given) throw new Refusal('passkey_refused');
  const { hostname, origin } = new URL(given);
  return { id: hostname, origin };
}

/** Options for `navigator.credentials.create`, with a challenge that this session can answer once. Throws `too_many_passkeys`. */
export async function passkeyRegistration(
  request: FastifyRequest,
  { publicUrl }: DashboardServices,
): Promise<object> {
  const { people } = request;
  const { id, email, name } = request.person;
  await assertRoomForPasskey(people, id);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Parapet',
    rpID: relyingParty(request, publicUrl).id,
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(id.replaceAll('-', ''), 'hex')),
    attestationType: 'none',
    excludeCredentials: (await listCredentials(people, id)).map(({ credentialId }) => ({ id: credentialId })),
    // Discoverable if possible, and with user verification, which is sufficient for sign-in.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  await setChallenge(people, request.session!.id, options.challenge);
  return options;
}

/** Verifies a new passkey. Throws `passkey_refused`. */
export async function verifyRegistration(
  request: FastifyRequest,
  { publicUrl }: DashboardServices,
  response: object,
): Promise<Omit<StoredPasskey, 'id'>> {
  const challenge = await takeChallenge(request.people, request.session!.id);
  const { id, origin } = relyingParty(request, publicUrl);
  if (challenge === undefined) throw new Refusal('passkey_refused');
  const { verifyRegistrationResponse } = await webauthn();
  const registration = response as RegistrationResponseJSON;
  if (!(await refusing(() => isAcceptable(registration)))) throw new Refusal('passkey_refused');
  const verification = await refusing(() =>
    verifyRegistrationResponse({
      response: registration,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    }),
  );
  if (!verification?.verified) throw new Refusal('passkey_refused');
  const { credential } = verification.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports: knownTransports(credential.transports),
    origin,
  };
}

/** Authenticator transports (WebAuthn Level 3, section 5.8.4). These are hints: unknown ones are dropped. */
const transports: readonly unknown[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

function knownTransports(given: unknown): string[] {
  return Array.isArray(given) ? transports.filter(each => given.includes(each)).map(String) : [];
}

/** Maximum bytes of a credential id (WebAuthn Level 3, section 4), and of a public key. RSA with 4,096 bits needs 530. */
const longest = { credentialId: 1_023, publicKey: 2_048 };

/**
 * Maximum Base64url characters of a registration, with room for an id and a key of those sizes, and of assertion data, which
 * contains neither.
 */
const longestResponse = { registration: 12_000, assertion: 1_000 };

/**
 * Whether the registration has an ordinary size and no certificates. Pages that request no attestation receive none, or the
 * self-attestation of the passkey (WebAuthn Level 3, section 5.1.3). The library fetches revocation lists named in
 * certificates, from any address and of any length, before it checks the issuer.
 */
async function isAcceptable({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL, parseAuthenticatorData } = await webauthnHelpers();
  if (response.attestationObject.length > longestResponse.registration) return false;
  const object = isoBase64URL.toBuffer(response.attestationObject);
  if (!hasFewEntries(object)) return false;
  const attestation = decodeAttestationObject(object);
  const data = attestation.get('authData');
  if (!isOrdinary(data)) return false;
  const { credentialID, credentialPublicKey } = parseAuthenticatorData(data);
  if ((credentialID?.length ?? 0) > longest.credentialId) return false;
  if ((credentialPublicKey?.length ?? 0) > longest.publicKey) return false;
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/**
 * A step-up requires user verification. After a password or the provider, the passkey is the second factor, and possession is
 * sufficient.
 */
function isStepUp({ session }: FastifyRequest): boolean {
  return session!.secondFactorGiven;
}

/** Options for `navigator.credentials.get`, with a challenge that this session can answer once. */
export async function passkeyAuthentication(
  request: FastifyRequest,
  { publicUrl }: DashboardServices,
): Promise<object> {
  const passkeys = await listCredentials(request.people, request.person.id);
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(request, publicUrl).id,
    userVerification: isStepUp(request) ? 'required' : 'preferred',
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transports as AuthenticatorTransport[],
    })),
  });
  await setChallenge(request.people, request.session!.id, options.challenge);
  return options;
}

/** Whether a passkey of the person answered the challenge of this session. Spends the challenge in any case. */
export async function isPasskeyAnswer(
  request: FastifyRequest,
  services: DashboardServices,
  response: { readonly id: string },
): Promise<boolean> {
  const challenge = await takeChallenge(request.people, request.session!.id);
  const passkey = await findPasskey(request.people, response.id);
  if (!challenge || passkey?.personId !== request.person.id) return false;
  return verifyAssertion(request, services, passkey, response as AuthenticationResponseJSON, {
    expectedChallenge: challenge,
    requireUserVerification: isStepUp(request),
  });
}

async function isShort({ response }: AuthenticationResponseJSON): Promise<boolean> {
  const { isoBase64URL } = await webauthnHelpers();
  const { authenticatorData } = response;
  return (
    authenticatorData.length <= longestResponse.assertion &&
    isOrdinary(isoBase64URL.toBuffer(authenticatorData))
  );
}

interface AssertionTerms {
  readonly expectedChallenge: string;
  readonly requireUserVerification: boolean;
  /** Spends the challenge after verification; false if it was already spent. */
  readonly spend?: () => Promise<boolean>;
}

/**
 * The expected origin of the passkey. Without a public URL it is the origin where the passkey was added: a page on another
 * port of the host could make the browser sign for its own origin, and a relay would send that origin in its request.
 */
function originOf({ origin }: StoredPasskey, request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl === undefined && origin !== null) return origin;
  return relyingParty(request, publicUrl).origin;
}

/** Whether the passkey answered the challenge, with a counter that shows no replay. */
export async function verifyAssertion(
  request: FastifyRequest,
  { publicUrl }: DashboardServices,
  passkey: StoredPasskey,
  response: AuthenticationResponseJSON,
  { expectedChallenge, requireUserVerification, spend }: AssertionTerms,
): Promise<boolean> {
  const origin = originOf(passkey, request, publicUrl);
  const { verifyAuthenticationResponse } = await webauthn();
  if (!(await refusing(() => isShort(response)))) return false;
  const verification = await refusing(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
      },
      requireUserVerification,
    }),
  );
  if (!verification?.verified) return false;
  if (spend && !(await spend())) return false;
  const { newCounter } = verification.authenticationInfo;
  return advancePasskey(request.people, passkey.id, newCounter, passkey.origin ?? origin);
}

/** The library throws for invalid input; here that is a negative result. */
async function refusing<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
