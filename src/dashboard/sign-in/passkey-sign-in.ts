import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/refusal.ts';
import { auditAccount } from '../../resources/people/accounts.ts';
import { findPasskey } from '../../resources/people/passkeys.ts';
import {
  countAttempt,
  forgetAttempts,
  rightSignIn,
  unguessableOf,
} from '../../resources/people/sign-in-attempts.ts';
import { personActor } from '../person-actor.ts';
import type { DashboardServices } from '../services.ts';
import { isChallenge, isSpent, issueChallenge, spendChallenge } from './challenges.ts';
import { knownDevice } from './known-device.ts';
import { relyingParty, verifyAssertion, webauthn } from './webauthn.ts';

const purpose = 'passkey sign-in';

/** Options for `navigator.credentials.get` without a known person, and the challenge for the cookie. */
export async function beginPasskeySignIn(
  request: FastifyRequest,
  { storage, publicUrl }: DashboardServices,
): Promise<{ options: object; challenge: string }> {
  const challenge = await issueChallenge(storage.keyRing, purpose);
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(request, publicUrl).id,
    challenge,
    userVerification: 'required',
    allowCredentials: [],
  });
  return { options, challenge };
}

/**
 * Returns the person whose passkey answered the challenge with user verification. A correct response spends the challenge.
 * Throws `passkey_refused`, also if the counter of the authenticator decreased, which indicates a copy. An unknown passkey or
 * an invalid challenge is refused after at most two queries, and is not counted as an attempt.
 */
export async function personOfPasskey(
  request: FastifyRequest,
  services: DashboardServices,
  challenge: string | undefined,
  response: { readonly id: string; readonly response?: { readonly userHandle?: unknown } },
): Promise<string> {
  const { people, unproven } = request;
  const { keyRing } = services.storage;
  if (!challenge || !(await isChallenge(keyRing, purpose, challenge))) throw new Refusal('passkey_refused');
  const passkey = await findPasskey(unproven, response.id);
  if (!passkey || (await isSpent(unproven, challenge))) throw new Refusal('passkey_refused');
  const handle = response.response?.userHandle;
  // The user handle identifies the account (WebAuthn Level 3, section 7.2, step 6).
  const ownHandle = Buffer.from(passkey.personId.replaceAll('-', ''), 'hex').toString('base64url');
  if (handle !== ownHandle) throw new Refusal('passkey_refused');
  const device = await knownDevice(request, services, passkey.personId);
  const attempts = [unguessableOf(passkey.personId, request.ip, device)];
  await countAttempt(people, attempts);
  const expectedChallenge = Buffer.from(challenge).toString('base64url');
  const answer = response as object as AuthenticationResponseJSON;
  const taken = await verifyAssertion(request, services, passkey, answer, {
    expectedChallenge,
    requireUserVerification: true,
    spend: () => spendChallenge(people, challenge),
  });
  if (taken) {
    await forgetAttempts(people, attempts);
    await countAttempt(people, [rightSignIn('passkey', passkey.personId, request.ip, device)]);
    return passkey.personId;
  }
  await people.transaction(
    transaction =>
      auditAccount(transaction, personActor(request, passkey.personId), passkey.personId, {
        action: 'person.sign_in_failed',
        detail: { passkey: true },
      }),
    passkey,
  );
  throw new Refusal('passkey_refused');
}
