import { ConnectionFailed } from '../connection/connection-failed.ts';

/** Authentication requests: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const [accepted, clearText, md5, sasl, saslContinue, saslFinal] = [0, 3, 5, 10, 11, 12] as const;

/** The requests that may follow each request. */
const after: Readonly<Record<number, readonly number[]>> = {
  [clearText]: [accepted],
  [md5]: [accepted],
  [sasl]: [saslContinue],
  [saslContinue]: [saslFinal],
  [saslFinal]: [accepted],
  [accepted]: [],
};

/** RFC 7677 requires at least 4,096 iterations; more than the maximum cost this process too much CPU time. */
const iterations = { fewest: 4_096, most: 100_000 };
/** A server's first SCRAM message: PostgreSQL's has about 80 characters. */
const longestChallenge = 1_024;

/**
 * Checks the order of a server's authentication requests.
 *
 * Without TLS, an attacker on the network can pose as the server, so only SCRAM-SHA-256 is answered, which does not
 * reveal the password. The attacker would read a clear-text password, and could crack an MD5 response offline at little
 * cost. A server that requests SCRAM must also prove that it knows the password before the session continues (RFC
 * 5802); the driver checks the proof, but does not require one.
 */
export class LogIn {
  readonly #encrypted: boolean;
  #next: readonly number[] = [accepted, clearText, md5, sasl];

  constructor(encrypted: boolean) {
    this.#encrypted = encrypted;
  }

  /**
   * @param body of an authentication message, without its type and length
   * @throws ConnectionFailed if the request must not be answered, or is out of order
   */
  follow(body: Buffer): void {
    if (body.length < 4) throw new ConnectionFailed('protocol_invalid');
    const request = body.readInt32BE(0);
    const next = after[request];
    const tooOpen = !this.#encrypted && (request === clearText || request === md5);
    if (next === undefined || tooOpen) throw new ConnectionFailed('auth_unsupported');
    if (!this.#next.includes(request)) throw new ConnectionFailed('protocol_invalid');
    if (request === saslContinue) this.#checkChallenge(body.subarray(4));
    this.#next = next;
  }

  #checkChallenge(challenge: Buffer): void {
    if (challenge.length > longestChallenge) throw new ConnectionFailed('protocol_invalid');
    // Each attribute once: of two counts, the driver would use the other one.
    const count = /^r=[^,]+,s=[A-Za-z0-9+/=]+,i=([1-9]\d*)$/.exec(challenge.toString('latin1'))?.[1];
    if (count === undefined) throw new ConnectionFailed('protocol_invalid');
    const fewest = this.#encrypted ? 1 : iterations.fewest;
    if (Number(count) < fewest || Number(count) > iterations.most) {
      throw new ConnectionFailed('auth_unsupported');
    }
  }
}
