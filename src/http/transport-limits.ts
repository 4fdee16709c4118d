/** Limits on connections, requests and answers that apply before authentication. */
export interface TransportLimits {
  /** Milliseconds for the whole head of a request, from its first byte or the connection's opening. */
  readonly headersMs: number;
  /** Milliseconds for a whole request, body included. */
  readonly requestMs: number;
  /** Milliseconds that a connection may stay open without a request. Longer than the 60 s of common proxies. */
  readonly idleMs: number;
  /** Milliseconds in which an unread answer must make progress. */
  readonly stallMs: number;
  /**
   * Bytes a second that an answer must be read with, after as long as `stallMs`. Less than it takes to read the largest file within
   * `answerMs`: who reads that in time is not cut for this.
   */
  readonly leastRate: number;
  /** Milliseconds for a whole answer, however slowly it is read. */
  readonly answerMs: number;
  /** Bytes of answers that a node keeps for clients to read. Beyond it, the answers that are read slowest are cut. */
  readonly unreadBytes: number;
  /** Bytes of requests without an answer that a node keeps: heads, and ordinary bodies until all of the body is there. Beyond it, the slowest are cut. */
  readonly unfinishedBytes: number;
  /** How often the above are checked, in milliseconds: each may take so much longer. */
  readonly checkMs: number;
  /** Open connections in all (`PARAPET_MAX_CONNECTIONS`). */
  readonly connections: number;
  /** Open connections of one address, or of one /64 of IPv6 (`PARAPET_MAX_CONNECTIONS_PER_ADDRESS`). */
  readonly connectionsPerAddress: number;
}

export const defaultTransportLimits: TransportLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  stallMs: 20_000,
  leastRate: 16 * 1024,
  answerMs: 600_000,
  unreadBytes: 128 * 1024 * 1024,
  unfinishedBytes: 64 * 1024 * 1024,
  checkMs: 1_000,
  connections: 2_000,
  connectionsPerAddress: 100,
};
