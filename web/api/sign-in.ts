import { startAuthentication } from '@simplewebauthn/browser';
import type { FactorCode, Session } from '../../src/contract/dashboard/session.ts';
import { ApiError } from './api-error.ts';
import { request } from './client.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly second_factor?: FactorCode;
}

/**
 * Signs in with a password. If others' wrong guesses make unknown browsers wait, this one provides a proof of work instead, which
 * takes a few seconds of hashing.
 */
export async function signInWithPassword(credentials: Credentials): Promise<Session> {
  try {
    return await request<Session>('POST', '/sign-in', { body: credentials });
  } catch (error) {
    const work = error instanceof ApiError ? error.body.proof_of_work : undefined;
    // Browsers provide hashing in secure contexts only.
    if (!work || !isSecureContext) throw error;
    const solution = await solve(work.challenge, work.bits);
    const proof_of_work = { challenge: work.challenge, solution };
    return request<Session>('POST', '/sign-in', { body: { ...credentials, proof_of_work } });
  }
}

/** How many hashes are computed at a time. */
const batch = 1024;

/** The first number whose hash with the challenge starts with that many zero bits. @param bits at most 32 */
async function solve(challenge: string, bits: number): Promise<number> {
  const encoder = new TextEncoder();
  for (let start = 0; ; start += batch) {
    const hashes = await Promise.all(
      Array.from({ length: batch }, (_, index) =>
        crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${start + index}`)),
      ),
    );
    const found = hashes.findIndex(hash => new DataView(hash).getUint32(0) >>> (32 - bits) === 0);
    if (found >= 0) return start + found;
  }
}

interface Options {
  readonly options: Parameters<typeof startAuthentication>[0]['optionsJSON'];
}

/** Signs in with a passkey. Rejects with a message for the person if they cancel. */
export async function signInWithPasskey(): Promise<Session> {
  const { options } = await request<Options>('POST', '/sign-in/passkey/options', { body: {} });
  const response = await startAuthentication({ optionsJSON: options }).catch(() => {
    throw new Error('No passkey was used. Try again or sign in with your password.');
  });
  return request<Session>('POST', '/sign-in/passkey', { body: { response } });
}
