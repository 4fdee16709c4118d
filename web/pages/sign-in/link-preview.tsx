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
  /** Below `/dashboard/api`: says whether the link still works, and what it is for. */
  readonly path: string;
  readonly token: string;
  readonly title: string;
  /** Without one, the children have a header themselves. */
  readonly description?: string;
  readonly children: (preview: T) => ReactNode;
}

/** Checks a one-time link before the person fills in its form. */
export function LinkPreview<T>({ path, token, title, description, children }: Props<T>) {
  const query = useQuery({
    queryKey: tokenKey(path, token),
    queryFn: () => request<T>('POST', path, { body: { token } }),
    enabled: token !== '',
    // Never refreshed, since the link stops working once it is used.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error } = query;
  if (data !== undefined) {
    if (description === undefined) return children(data);
    return (
      <Entrance title={title} description={description}>
        {children(data)}
      </Entrance>
    );
  }
  if (token === '' || (error instanceof ApiError && error.status >= 400 && error.status < 500)) {
    return (
      <Entrance title={title}>
        <Alert color="red" variant="light" title="This link doesn't work">
          It was already used, was revoked, has expired or is incomplete. Ask the person who sent it for a new
          one.
        </Alert>
      </Entrance>
    );
  }
  return (
    <Entrance title={title} description={error ? undefined : description}>
      {error ? (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      ) : (
        <CardSkeleton height={320} />
      )}
    </Entrance>
  );
}
