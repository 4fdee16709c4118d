/** What the caller can act on; `message` is the one line to show, and holds no secret. */
export class ClientError extends Error {
  override name = 'ClientError';
}
