/** The start failed for a reason that the operator can fix: `message` is one line to show. */
export class StorageError extends Error {
  override name = 'StorageError';
}
