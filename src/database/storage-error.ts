/** The start cannot go on for a reason that the operator can act on: `message` is the one line to show. */
export class StorageError extends Error {
  override name = 'StorageError';
}
