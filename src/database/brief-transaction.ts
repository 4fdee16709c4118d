import type { TenantStore, TenantTransaction } from './tenant-store.ts';

/**
 * A transaction of work that other organizations wait for: it fails if a row is locked for longer than half a second, since
 * only its own organization's changes lock it.
 */
export function briefTransaction<Result>(
  store: TenantStore,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  return store.transaction(async transaction => {
    await transaction.query({
      name: 'limit-lock-waits',
      text: "select set_config('lock_timeout', '500ms', true)",
    });
    return work(transaction);
  });
}
