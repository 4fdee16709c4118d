import { ConnectionFailed } from '../connection/connection-failed.ts';

/** First bytes of a server's packets: https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase.html */
const [accepted, moreData, nextFactor, switchMethod, refused] = [0x00, 0x01, 0x02, 0xfe, 0xff] as const;

/** Challenge-response methods, with the packets that may follow a switch to them. */
const afterSwitchTo = new Map<string, readonly number[]>([
  ['mysql_native_password', [accepted, refused]],
  ['caching_sha2_password', [moreData, accepted, refused]],
]);

/** In `caching_sha2_password`: the response was correct, or the server requests the password itself. */
const [fastSuccess, fullAuthentication] = [Buffer.from([moreData, 3]), Buffer.from([moreData, 4])];

/**
 * Checks the order of a server's packets in a login without TLS.
 *
 * An attacker on the network can pose as the server and request the password, in clear text or encrypted with a chosen
 * key. Only challenges are answered: to learn the password from a response, it has to be guessed
 * (docs/decisions/0014-limits-in-the-database.md).
 */
export class LogIn {
  #next: readonly number[] = [accepted, moreData, switchMethod, refused];

  /**
   * @param packet without its header, not empty
   * @throws ConnectionFailed if the packet must not be answered, or is out of order
   */
  follow(packet: Buffer): void {
    const kind = packet[0]!;
    if (kind === nextFactor || packet.equals(fullAuthentication)) {
      throw new ConnectionFailed('auth_unsupported');
    }
    const isUnknown = kind === moreData && !packet.equals(fastSuccess);
    if (isUnknown || !this.#next.includes(kind)) throw new ConnectionFailed('protocol_invalid');
    if (kind === switchMethod) this.#next = afterSwitch(packet);
    else this.#next = kind === moreData ? [accepted, refused] : [];
  }
}

/** The name of the method ends with a zero byte. A packet of one byte requests the method of MySQL 4.0. */
function afterSwitch(packet: Buffer): readonly number[] {
  const name = packet.toString('latin1', 1, Math.max(1, packet.indexOf(0)));
  const next = afterSwitchTo.get(name);
  if (next === undefined) throw new ConnectionFailed('auth_unsupported');
  return next;
}
