import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { personalKey } from './query-keys.ts';

/** Whether the error means that the session has ended, or that its sign-in is not complete. */
function isAboutSession({ status, code }: ApiError): boolean {
  if (code === 'second_factor_required' || code === 'second_factor_enrolment_required') return true;
  return status === 401 && code === undefined;
}

/** Loads the session again, so that pages redirect to sign-in. */
function checkSession(error: Error): void {
  if (error instanceof ApiError && isAboutSession(error)) {
    void queryClient.invalidateQueries({ queryKey: personalKey('session') });
  }
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({ onError: checkSession }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refused request would be refused again; a network problem or server error may pass.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});
