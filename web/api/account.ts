import { startRegistration } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  AccountSecurity,
  BackupCodes,
  Enrolled,
  Session,
  TotpEnrolment,
} from '../../src/contract/dashboard/session.ts';
import { apiPath } from './api-path.ts';
import { request } from './client.ts';
import { personalKey } from './query-keys.ts';

/** How the person signs in, and where they are signed in. */
export function useAccountSecurity() {
  return useQuery({
    queryKey: personalKey('security'),
    queryFn: ({ signal }) => request<AccountSecurity>('GET', '/account/security', { signal }),
  });
}

/** A change to the person's own account. It may replace the session's CSRF token, so the session is loaded again first. */
function useAccountMutation<Variables, Answer>(send: (variables: Variables) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async () => {
      await queries.refetchQueries({ queryKey: personalKey('session') });
      await queries.invalidateQueries({ queryKey: personalKey('security') });
    },
  });
}

export const useRename = () =>
  useAccountMutation((name: string) => request<Session>('PATCH', '/account', { body: { name } }));

interface Passwords {
  readonly current_password: string;
  readonly password: string;
}

export const useChangePassword = () =>
  useAccountMutation((body: Passwords) => request('POST', '/account/password', { body }));

type Enrolment = Static<typeof Enrolled>;

/** A new secret for an authenticator app. Every request makes another one. */
export const beginTotp = () => request<Static<typeof TotpEnrolment>>('POST', '/account/totp', { body: {} });

export const useConfirmTotp = () =>
  useAccountMutation((code: string) =>
    request<Enrolment>('POST', '/account/totp/confirm', { body: { code: code.replace(/\s/g, '') } }),
  );

export const useRemoveTotp = () => useAccountMutation(() => request('DELETE', '/account/totp'));

interface RegistrationOptions {
  readonly options: Parameters<typeof startRegistration>[0]['optionsJSON'];
}

/** Asks the browser to create a passkey. Rejects with a message for the person if they cancel. */
async function addPasskey(name: string): Promise<Enrolment> {
  const { options } = await request<RegistrationOptions>('POST', '/account/passkeys/options', { body: {} });
  const response = await startRegistration({ optionsJSON: options }).catch(error => {
    if (error.name === 'InvalidStateError') {
      throw new Error('This device already has a passkey for your account.');
    }
    throw new Error('No passkey was created. Try again or use another method.');
  });
  return request<Enrolment>('POST', '/account/passkeys', { body: { name, response } });
}

export const useAddPasskey = () => useAccountMutation(addPasskey);

export const useRenamePasskey = () =>
  useAccountMutation(({ id, name }: { id: string; name: string }) =>
    request('PATCH', apiPath`/account/passkeys/${id}`, { body: { name } }),
  );

export const useRemovePasskey = () =>
  useAccountMutation((id: string) => request('DELETE', apiPath`/account/passkeys/${id}`));

export const useRenewBackupCodes = () =>
  useAccountMutation(() =>
    request<Static<typeof BackupCodes>>('POST', '/account/backup-codes', { body: {} }),
  );

export const useLinkProvider = () =>
  useAccountMutation((token: string) => request('POST', '/oidc/link', { body: { token } }));

export const useUnlinkProvider = () =>
  useAccountMutation((id: string) => request('DELETE', apiPath`/account/identities/${id}`));

export const useEndSession = () =>
  useAccountMutation((id: string) => request('DELETE', apiPath`/account/sessions/${id}`));

export const useEndOtherSessions = () =>
  useAccountMutation(() => request('POST', '/account/sessions/end-others', { body: {} }));
