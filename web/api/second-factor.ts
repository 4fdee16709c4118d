import { startAuthentication } from '@simplewebauthn/browser';
import type { SecondFactor } from '../../src/contract/dashboard/session.ts';
import { request } from './client.ts';

interface Options {
  readonly options: Parameters<typeof startAuthentication>[0]['optionsJSON'];
}

/** Prompts for a passkey. Rejects if the person cancels. */
export async function answerWithPasskey(): Promise<SecondFactor> {
  const { options } = await request<Options>('POST', '/second-factor/passkey-options', { body: {} });
  const response = await startAuthentication({ optionsJSON: options });
  return { type: 'passkey', response: { ...response } };
}
