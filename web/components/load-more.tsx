import { Button, Center } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';

/** Loads the next page of a list, if there is one. */
export function LoadMore({ query }: { readonly query: UseInfiniteQueryResult<unknown> }) {
  if (!query.hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchNextPageError ? 'Try again' : 'Load more'}
      </Button>
    </Center>
  );
}
