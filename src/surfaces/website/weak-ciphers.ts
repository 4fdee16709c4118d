import type { Socket } from 'node:net';
import type { WeakCiphers } from '../../captures/tls.ts';
import { clientHello, usualGroups, usualSignatures } from './client-hello.ts';
import { LimitReached, WebsiteUnreachable } from './failure.ts';

/**
 * Suites that no longer protect: no encryption, no authentication, export keys, RC2, RC4, IDEA, DES and 3DES (RFC 7465, RFC 8996,
 * RFC 9325 section 4.2.1). IANA's numbers and names.
 */
const brokenSuites: Record<number, string> = {
  1: 'TLS_RSA_WITH_NULL_MD5',
  2: 'TLS_RSA_WITH_NULL_SHA',
  3: 'TLS_RSA_EXPORT_WITH_RC4_40_MD5',
  4: 'TLS_RSA_WITH_RC4_128_MD5',
  5: 'TLS_RSA_WITH_RC4_128_SHA',
  6: 'TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5',
  7: 'TLS_RSA_WITH_IDEA_CBC_SHA',
  8: 'TLS_RSA_EXPORT_WITH_DES40_CBC_SHA',
  9: 'TLS_RSA_WITH_DES_CBC_SHA',
  10: 'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  13: 'TLS_DH_DSS_WITH_3DES_EDE_CBC_SHA',
  16: 'TLS_DH_RSA_WITH_3DES_EDE_CBC_SHA',
  17: 'TLS_DHE_DSS_EXPORT_WITH_DES40_CBC_SHA',
  18: 'TLS_DHE_DSS_WITH_DES_CBC_SHA',
  19: 'TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA',
  20: 'TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA',
  21: 'TLS_DHE_RSA_WITH_DES_CBC_SHA',
  22: 'TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA',
  23: 'TLS_DH_anon_EXPORT_WITH_RC4_40_MD5',
  24: 'TLS_DH_anon_WITH_RC4_128_MD5',
  25: 'TLS_DH_anon_EXPORT_WITH_DES40_CBC_SHA',
  26: 'TLS_DH_anon_WITH_DES_CBC_SHA',
  27: 'TLS_DH_anon_WITH_3DES_EDE_CBC_SHA',
  52: 'TLS_DH_anon_WITH_AES_128_CBC_SHA',
  58: 'TLS_DH_anon_WITH_AES_256_CBC_SHA',
  59: 'TLS_RSA_WITH_NULL_SHA256',
  70: 'TLS_DH_anon_WITH_CAMELLIA_128_CBC_SHA',
  108: 'TLS_DH_anon_WITH_AES_128_CBC_SHA256',
  109: 'TLS_DH_anon_WITH_AES_256_CBC_SHA256',
  137: 'TLS_DH_anon_WITH_CAMELLIA_256_CBC_SHA',
  166: 'TLS_DH_anon_WITH_AES_128_GCM_SHA256',
  167: 'TLS_DH_anon_WITH_AES_256_GCM_SHA384',
  49153: 'TLS_ECDH_ECDSA_WITH_NULL_SHA',
  49154: 'TLS_ECDH_ECDSA_WITH_RC4_128_SHA',
  49155: 'TLS_ECDH_ECDSA_WITH_3DES_EDE_CBC_SHA',
  49158: 'TLS_ECDHE_ECDSA_WITH_NULL_SHA',
  49159: 'TLS_ECDHE_ECDSA_WITH_RC4_128_SHA',
  49160: 'TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA',
  49163: 'TLS_ECDH_RSA_WITH_NULL_SHA',
  49164: 'TLS_ECDH_RSA_WITH_RC4_128_SHA',
  49165: 'TLS_ECDH_RSA_WITH_3DES_EDE_CBC_SHA',
  49168: 'TLS_ECDHE_RSA_WITH_NULL_SHA',
  49169: 'TLS_ECDHE_RSA_WITH_RC4_128_SHA',
  49170: 'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA',
  49173: 'TLS_ECDH_anon_WITH_NULL_SHA',
  49174: 'TLS_ECDH_anon_WITH_RC4_128_SHA',
  49175: 'TLS_ECDH_anon_WITH_3DES_EDE_CBC_SHA',
  49176: 'TLS_ECDH_anon_WITH_AES_128_CBC_SHA',
  49177: 'TLS_ECDH_anon_WITH_AES_256_CBC_SHA',
};

/** Secure ciphers with RSA key transport: an attacker who obtains the server's key can decrypt all recorded traffic. */
const withoutForwardSecrecy: Record<number, string> = {
  47: 'TLS_RSA_WITH_AES_128_CBC_SHA',
  53: 'TLS_RSA_WITH_AES_256_CBC_SHA',
  60: 'TLS_RSA_WITH_AES_128_CBC_SHA256',
  61: 'TLS_RSA_WITH_AES_256_CBC_SHA256',
  65: 'TLS_RSA_WITH_CAMELLIA_128_CBC_SHA',
  132: 'TLS_RSA_WITH_CAMELLIA_256_CBC_SHA',
  150: 'TLS_RSA_WITH_SEED_CBC_SHA',
  156: 'TLS_RSA_WITH_AES_128_GCM_SHA256',
  157: 'TLS_RSA_WITH_AES_256_GCM_SHA384',
  186: 'TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256',
  192: 'TLS_RSA_WITH_CAMELLIA_256_CBC_SHA256',
  49212: 'TLS_RSA_WITH_ARIA_128_CBC_SHA256',
  49213: 'TLS_RSA_WITH_ARIA_256_CBC_SHA384',
  49232: 'TLS_RSA_WITH_ARIA_128_GCM_SHA256',
  49233: 'TLS_RSA_WITH_ARIA_256_GCM_SHA384',
  49274: 'TLS_RSA_WITH_CAMELLIA_128_GCM_SHA256',
  49275: 'TLS_RSA_WITH_CAMELLIA_256_GCM_SHA384',
  49308: 'TLS_RSA_WITH_AES_128_CCM',
  49309: 'TLS_RSA_WITH_AES_256_CCM',
  49312: 'TLS_RSA_WITH_AES_128_CCM_8',
  49313: 'TLS_RSA_WITH_AES_256_CCM_8',
};

/** The number of broken suites after which a safe scan stops. */
const fewSuites = 2;

/**
 * The weak suites that a server chooses if it is offered nothing else. Node's OpenSSL is built without most of them, so
 * the ClientHello is written by hand and the connection ends with the server's choice. One suite without forward
 * secrecy is enough.
 *
 * @param connect opens a TCP connection to the server, which must time out if the server stays silent
 * @param confirm rejects if the server no longer completes a handshake that it completed before: then closed
 * connections are not refusals
 * @param all offer every broken suite, instead of stopping after two
 * @returns if a later answer was inconclusive, what is known so far, marked as incomplete
 * @throws the connection's error, or why the server's answer is inconclusive, if nothing is known
 */
export async function weakCiphersAccepted(
  connect: () => Promise<Socket>,
  confirm: () => Promise<void>,
  serverName: string | null,
  all: boolean,
): Promise<WeakCiphers> {
  const limit = all ? Object.keys(brokenSuites).length : fewSuites;
  const broken = await suitesChosen(connect, confirm, serverName, brokenSuites, limit);
  const withoutSecrecy = await suitesChosen(connect, confirm, serverName, withoutForwardSecrecy, 1);
  const chosen = [...broken.chosen, ...withoutSecrecy.chosen];
  const failure = broken.failure ?? withoutSecrecy.failure;
  if (failure !== null && chosen.length === 0) throw failure;
  return {
    chosen,
    is_complete: failure === null && (all || broken.chosen.length < limit),
  };
}

/** Offers the group again without the chosen suites, until the server refuses or enough are known. */
async function suitesChosen(
  connect: () => Promise<Socket>,
  confirm: () => Promise<void>,
  serverName: string | null,
  group: Record<number, string>,
  limit: number,
): Promise<{ chosen: readonly string[]; failure: unknown }> {
  const chosen: string[] = [];
  let offered = Object.keys(group).map(Number);
  try {
    while (chosen.length < limit) {
      const suite = await offer(await connect(), offered, serverName);
      if (suite === 'closed') await confirm();
      if (suite === null || suite === 'closed') break;
      const name = offered.includes(suite) ? group[suite] : undefined;
      if (name === undefined) throw new WebsiteUnreachable('tls_failed');
      chosen.push(name);
      offered = offered.filter(other => other !== suite);
    }
  } catch (failure) {
    return { chosen, failure };
  }
  return { chosen, failure: null };
}

/**
 * @returns the suite that the server chose, null if it refused with a fatal alert, or whether it closed without an
 * answer
 * @throws the connection's error, or why another answer is inconclusive
 */
async function offer(socket: Socket, suites: readonly number[], name: string | null) {
  socket.on('error', () => {});
  let received = Buffer.alloc(0);
  try {
    socket.write(clientHello({ suites, name, groups: usualGroups, signatures: usualSignatures }));
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      const answer = readServerHello(received);
      if (answer !== 'incomplete') return answer;
      if (received.length > 16_384)
        throw new LimitReached('The server sends more in a TLS handshake than the scan reads.');
    }
  } catch (error) {
    // Servers without a common suite may reset the connection instead of sending an alert.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  } finally {
    socket.destroy();
  }
  if (received.length > 0) throw new WebsiteUnreachable('tls_failed');
  return 'closed';
}

/** Warnings that may precede the answer. OpenSSL as a client accepts as many. */
const maxWarnings = 5;

/** The answer after warnings, such as `unrecognized_name` (RFC 6066, section 3), which do not end the handshake. */
function readServerHello(bytes: Buffer): number | null | 'incomplete' {
  let start = 0;
  for (let warnings = 0; bytes[start] === 0x15; warnings += 1) {
    if (warnings === maxWarnings)
      throw new LimitReached('The server sends more TLS warnings than the scan reads.');
    if (bytes.length < start + 7) return 'incomplete';
    const level = bytes.readUInt16BE(start + 3) === 2 ? bytes[start + 5] : undefined;
    if (level === 2) return null;
    if (level !== 1) throw new WebsiteUnreachable('tls_failed');
    start += 7;
  }
  return suiteOf(bytes.subarray(start));
}

/** Record header (5), message type and length (4), version (2), random (32), session id, suite (RFC 5246, 7.4.1.3). */
function suiteOf(bytes: Buffer): number | 'incomplete' {
  if (bytes.length < 1) return 'incomplete';
  if (bytes[0] !== 0x16) throw new WebsiteUnreachable('tls_failed');
  if (bytes.length < 44) return 'incomplete';
  if (bytes[5] !== 0x02) throw new WebsiteUnreachable('tls_failed');
  const suiteAt = 44 + (bytes[43] ?? 0);
  return bytes.length < suiteAt + 2 ? 'incomplete' : bytes.readUInt16BE(suiteAt);
}
