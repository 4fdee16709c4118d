import { startAuthentication } from '@simplewebauthn/browser';
import type { SecondFactor } from '../../src/contract/dashboard/session.ts';
import { request } from './client.ts';

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Has the browser ask for a passkey. Rejects when the person turns it down. */
export async function answerWithPasskey(): Promise<SecondFactor> {
  const { options } = await request<{ options: object }>('POST', '/session/passkey-options');
  const response = await startAuthentication({ optionsJSON: options as AuthenticationOptions });
  return { type: 'passkey', response: { ...response } };
}
