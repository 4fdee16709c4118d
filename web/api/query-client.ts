import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { personalKey } from './query-keys.ts';

/** Answers that tell of another session than the pages know: ended, or not signed in to the end. */
function isAboutSession({ status, code }: ApiError): boolean {
  if (code === 'second_factor_required' || code === 'second_factor_enrolment_required') return true;
  return status === 401 && code === undefined;
}

/** Whoever finds out tells everyone: pages then lead to the sign-in page. */
function noticeSession(error: Error): void {
  if (error instanceof ApiError && isAboutSession(error)) {
    void queryClient.invalidateQueries({ queryKey: personalKey('session') });
  }
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSession }),
  mutationCache: new MutationCache({ onError: noticeSession }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal stays one. What did not reach the service, or failed in it, may pass.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});
