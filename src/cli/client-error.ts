/** An error that the user can fix. `message` is shown as is and contains no secret. */
export class ClientError extends Error {
  override name = 'ClientError';
}
