/** Limits of the API (specification, section 8). */
export const limits = {
  /** Bytes of a request body; larger bodies are 413. */
  bodyBytes: 256 * 1024,
  /** Maximum difference in seconds between a request's timestamp and the server clock. */
  clockWindowSeconds: 300,
  /** Requests of one key in any 60 seconds. */
  keyRequestsPerMinute: 60,
  /** Requests of one organization in any 60 seconds. */
  organizationRequestsPerMinute: 300,
  /** Events in one ingest batch. */
  eventsPerBatch: 500,
} as const;
