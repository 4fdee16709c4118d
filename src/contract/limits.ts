/** The limits of the interface (specification, section 8). */
export const limits = {
  /** Bytes of a request's body; more is 413. */
  bodyBytes: 256 * 1024,
  /** Seconds that a request's timestamp may be away from the server's clock, either way. */
  clockWindowSeconds: 300,
  /** Requests admitted for one key in any sliding minute. */
  keyRequestsPerMinute: 60,
  /** Requests admitted for one organization in any sliding minute. */
  organizationRequestsPerMinute: 300,
  /** Events in one ingest batch. */
  eventsPerBatch: 500,
} as const;
