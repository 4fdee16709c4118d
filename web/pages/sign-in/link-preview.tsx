import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { request } from '../../api/client.ts';
import { tokenKey } from '../../api/query-keys.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { CardSkeleton } from '../../components/loading.tsx';
import { Entrance } from './entrance.tsx';

interface Props<T> {
  /** Below `/dashboard/api`: tells whether the link still works, and what it is for. */
  readonly path: string;
  readonly token: string;
  readonly title: string;
  readonly children: (preview: T) => ReactNode;
}

/** Looks at a link that works once before anything is filled in. */
export function LinkPreview<T>({ path, token, title, children }: Props<T>) {
  const query = useQuery({
    queryKey: tokenKey(path, token),
    queryFn: () => request<T>('POST', path, { body: { token } }),
    enabled: token !== '',
    // Once is enough: after it was used, it no longer works.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data !== undefined) return children(query.data);
  const { error } = query;
  if (token === '' || (error instanceof ApiError && error.status >= 400 && error.status < 500)) {
    return (
      <Entrance title={title}>
        <Alert color="red" variant="light" title="This link does not work">
          It was used, was withdrawn, has expired, or was not copied in full. Ask whoever gave it to you for a
          new one.
        </Alert>
      </Entrance>
    );
  }
  return (
    <Entrance title={title}>
      {error ? (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      ) : (
        <CardSkeleton height={320} />
      )}
    </Entrance>
  );
}
