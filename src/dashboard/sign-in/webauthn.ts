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

/** Loaded when it is first needed: it takes a quarter of a second, and a start does without it. */
export const webauthn = () => import('@simplewebauthn/server');
const webauthnHelpers = () => import('@simplewebauthn/server/helpers');

type AuthenticatorTransport = NonNullable<RegistrationResponseJSON['response']['transports']>[number];

/**
 * The relying party of a request: the host that people see, and the origin that their browser signs. Without a public URL it
 * is the origin that the request names. That is the client's word, good enough to ask for a passkey and, in a session
 * that has been stepped up, to add one; not to accept an answer.
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

/**
 * What `navigator.credentials.create` is to be asked, with a challenge that this session may answer once. Throws
 * `too_many_passkeys`.
 */
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
    // Kept by the authenticator under the account, and for its verified user alone: enough to sign in by.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  await setChallenge(people, request.session!.id, options.challenge);
  return options;
}

/** The new passkey, verified. Throws `passkey_refused`. */
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

/** How browsers reach an authenticator (WebAuthn Level 3, section 5.8.4). These are hints: unknown ones are dropped. */
const transports: readonly unknown[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

function knownTransports(given: unknown): string[] {
  return Array.isArray(given) ? transports.filter(each => given.includes(each)).map(String) : [];
}

/** Bytes of a credential id (WebAuthn Level 3, section 4), and of a public key, of which RSA with 4,096 bits takes 530. */
const longest = { credentialId: 1_023, publicKey: 2_048 };

/** Base64url characters: of a registration, with room for an id and a key of those sizes, and of the data of an assertion, which has neither. */
const longestResponse = { registration: 12_000, assertion: 1_000 };

/**
 * Whether the registration is of ordinary size, and comes without certificates, as it does where a page asks for no attestation:
 * browsers then pass on none, or the passkey's own signature (WebAuthn Level 3, section 5.1.3). The library fetches the revocation
 * lists that certificates name, from any address and of any length, before it checks who issued them.
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
 * A step-up is proof of its own, so the authenticator has to verify its user. Behind a password or the provider the passkey is the
 * second factor, for which having it is enough.
 */
function isStepUp({ session }: FastifyRequest): boolean {
  return session!.secondFactorGiven;
}

/** What `navigator.credentials.get` is to be asked, with a challenge that this session may answer once. */
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

/** Whether one of the person's passkeys has answered this session's challenge. The challenge is spent either way. */
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
  /** Spends the challenge, once the answer is known to be right; false where it was spent before. */
  readonly spend?: () => Promise<boolean>;
}

/**
 * The origin at which the passkey counts. Without a public URL it is the one where the passkey was added: a page on another port
 * of the host could have the browser sign for its own origin, and a relay of the answer would name that origin too.
 */
function originOf({ origin }: StoredPasskey, request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl === undefined && origin !== null) return origin;
  return relyingParty(request, publicUrl).origin;
}

/** Whether the passkey has answered the challenge, by its counter for the first time. */
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

/** The library throws for whatever does not fit; here that is an answer. */
async function refusing<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
