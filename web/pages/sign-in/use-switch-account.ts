import { apiUrl } from '../../api/client.ts';
import { useSignOut } from '../../api/session.ts';

/** Signs out, which also discards the pending identity, and returns to the provider for a new one. */
export function useSwitchAccount() {
  const { mutate, ...signOut } = useSignOut();
  const onSuccess = () => window.location.assign(apiUrl('/oidc/begin'));
  return { ...signOut, mutate: () => mutate(undefined, { onSuccess }) };
}
