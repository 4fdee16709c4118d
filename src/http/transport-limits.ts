/** Limits on connections, requests and answers that apply before authentication. */
export interface TransportLimits {
  /** Milliseconds for the head of a request. */
  readonly headersMs: number;
  /** Milliseconds for a request with its body. */
  readonly requestMs: number;
  /** Milliseconds without a request until a connection is closed. Longer than the 60 s of common proxies. */
  readonly idleMs: number;
  /** Milliseconds without progress until an unread answer is aborted. */
  readonly stallMs: number;
  /** Minimum bytes per second of reading an answer, after `stallMs`. Low enough to read the largest file within `answerMs`. */
  readonly leastRate: number;
  /** Milliseconds to read an answer. */
  readonly answerMs: number;
  /** Maximum bytes of unread answers per node. Beyond it, the slowest are aborted. */
  readonly unreadBytes: number;
  /** Maximum bytes of unfinished requests per node. Beyond it, the slowest are aborted. */
  readonly unfinishedBytes: number;
  /** Milliseconds between checks of these limits. */
  readonly checkMs: number;
  /** Maximum open connections (`PARAPET_MAX_CONNECTIONS`). */
  readonly connections: number;
  /** Maximum open connections per IPv4 address or IPv6 /64 (`PARAPET_MAX_CONNECTIONS_PER_ADDRESS`). */
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
