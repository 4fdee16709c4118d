import { Card, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

/** Announces to screen readers that content is loading. */
function Announcement() {
  return <VisuallyHidden role="status">Loading…</VisuallyHidden>;
}

/** As high as a table with this many rows, so that nothing moves when they load. */
export function TableSkeleton({ rows = 8 }: { readonly rows?: number }) {
  return (
    <Stack gap={0} aria-busy="true">
      <Announcement />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Group key={row} h={41} gap="lg" wrap="nowrap" style={{ borderBottom: '1px solid var(--line)' }}>
          <Skeleton h={12} w={72} />
          <Skeleton h={12} flex={1} />
          <Skeleton h={12} w={96} visibleFrom="sm" />
        </Group>
      ))}
    </Stack>
  );
}

/** A card that is loading. */
export function CardSkeleton({ height = 120 }: { readonly height?: number }) {
  return (
    <Card withBorder h={height} aria-busy="true">
      <Announcement />
      <Skeleton h={14} w="40%" mb="md" />
      <Skeleton h={10} mb="xs" />
      <Skeleton h={10} w="80%" />
    </Card>
  );
}

/** A page whose code is loading. */
export function PageSkeleton() {
  return (
    <>
      <Skeleton h={28} w={220} mb="lg" />
      <TableSkeleton />
    </>
  );
}

interface LoadedProps<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** About as high as the loaded data. */
  readonly skeleton?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** A skeleton while the query loads, its error with a retry, or its data. */
export function Loaded<T>({ query, skeleton, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return skeleton ?? <TableSkeleton />;
}
