import { startRegistration } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  AccountSecurity,
  BackupCodes,
  Enrolled,
  TotpEnrolment,
} from '../../src/contract/dashboard/session.ts';
import { request } from './client.ts';
import { sessionKey } from './session.ts';

const securityKey = ['account', 'security'] as const;

/** What opens the account, and where it is open. */
export function useAccountSecurity() {
  return useQuery({
    queryKey: securityKey,
    queryFn: ({ signal }) => request<AccountSecurity>('GET', '/account/security', { signal }),
  });
}

/** An act on the account: afterwards pages read anew what has changed, the session's CSRF token included. */
export function useAccountAct<Variables, Answer>(act: (variables: Variables) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await queries.refetchQueries({ queryKey: sessionKey });
      await queries.invalidateQueries({ queryKey: securityKey });
    },
  });
}

export type TotpSecret = Static<typeof TotpEnrolment>;
type Enrolment = Static<typeof Enrolled>;

export const beginTotp = () => request<TotpSecret>('POST', '/account/totp', { body: {} });

export const confirmTotp = (code: string) =>
  request<Enrolment>('POST', '/account/totp/confirm', { body: { code: code.replace(/\s/g, '') } });

interface RegistrationOptions {
  readonly options: Parameters<typeof startRegistration>[0]['optionsJSON'];
}

/** Has the browser make a passkey. Rejects with a text for people when they turn it down. */
export async function addPasskey(name: string): Promise<Enrolment> {
  const { options } = await request<RegistrationOptions>('POST', '/account/passkeys/options', { body: {} });
  const response = await startRegistration({ optionsJSON: options }).catch(error => {
    if (error.name === 'InvalidStateError') throw new Error('This device has a passkey of yours already.');
    throw new Error('No passkey was made. Try again, or choose another way.');
  });
  return request<Enrolment>('POST', '/account/passkeys', { body: { name, response } });
}

export const renewBackupCodes = () =>
  request<Static<typeof BackupCodes>>('POST', '/account/backup-codes', { body: {} });
