import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { FindingPage } from '../../src/contract/dashboard/findings.ts';
import { applyTriage } from './apply-triage.ts';
import { invalidate, listKey } from './query-keys.ts';

const page = (number: number) =>
  ({ findings: [{ id: `finding-${number}`, status: 'open' }], next_cursor: `${number + 1}` }) as FindingPage;

/** A list with this many loaded pages, which is on the page. */
async function openList(pages: number) {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000 } } });
  const queryKey = listKey('organization', 'findings', { status: 'open' });
  let requests = 0;
  const list = new InfiniteQueryObserver(queries, {
    queryKey,
    queryFn: async ({ pageParam }) => {
      requests += 1;
      return page(pageParam);
    },
    initialPageParam: 0,
    getNextPageParam: (last: FindingPage) => Number(last.next_cursor),
  });
  const stop = list.subscribe(() => {});
  await list.refetch();
  while (list.getCurrentResult().data!.pages.length < pages) await list.fetchNextPage();
  const before = requests;
  return { queries, list, stop, requests: () => requests - before };
}

const idsOf = (list: Awaited<ReturnType<typeof openList>>['list']) =>
  list.getCurrentResult().data!.pages.flatMap(({ findings }) => findings.map(({ id }) => id));

it('reloads a short list after a change', async () => {
  const { queries, stop, requests } = await openList(2);
  await invalidate(queries, 'organization', ['findings']);
  expect(requests()).toBe(2);
  stop();
});

it('changes a long list in place instead of reloading it page by page', async () => {
  const { queries, list, stop, requests } = await openList(100);
  applyTriage(queries, 'organization', { findings: [{ id: 'finding-7', status: 'accepted' }] });
  await invalidate(queries, 'organization', ['findings']);
  expect(requests()).toBe(0);
  expect(idsOf(list)).toHaveLength(99);
  expect(idsOf(list)).not.toContain('finding-7');
  stop();
});
