import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { insertPasskey } from '../../src/resources/people/passkeys.ts';
import type { TestPerson } from './people.ts';
import type { RunningNode } from './service.ts';

/** The parts of an assertion. Default: those of an honest authenticator and browser. */
export interface AssertionParts {
  readonly rpId: string;
  readonly origin: string;
  readonly userVerified: boolean;
  readonly counter: number;
  readonly userHandle: string | undefined;
  readonly type: string;
  /** CBOR of the authenticator's extensions. */
  readonly extensions: Buffer;
}

/** A software passkey whose every part can be made invalid (WebAuthn Level 3, sections 5.8.1 and 6.1). */
export interface SoftPasskey {
  /** Answers the challenge like `navigator.credentials.get`. */
  answer(challenge: string, parts?: Partial<AssertionParts>): object;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** The coordinates of a P-256 key, which end its DER (RFC 5480, section 2.2). */
export function pointOf(publicKey: KeyObject): [x: Buffer, y: Buffer] {
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-64);
  return [point.subarray(0, 32), point.subarray(32)];
}

/**
 * Adds a passkey to the account directly, without the dashboard. Its authenticator does not count uses.
 *
 * @param origin where it was added; null for a passkey from before origins were stored
 */
export async function addPasskey(
  node: RunningNode,
  person: TestPerson,
  origin: string | null = node.url,
): Promise<SoftPasskey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [x, y] = pointOf(publicKey);
  // A COSE key: EC2, ES256, P-256 (RFC 9053, section 7.1.1).
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    x,
    Buffer.from('225820', 'hex'),
    y,
  ]);
  const credentialId = randomBytes(16).toString('base64url');
  await insertPasskey(node.storage.people, person.id, {
    credentialId,
    publicKey: cose,
    signCount: 0,
    transports: [],
    origin,
    name: 'Soft',
  });
  const own: AssertionParts = {
    rpId: new URL(node.url).hostname,
    origin: node.url,
    userVerified: true,
    counter: 0,
    userHandle: Buffer.from(person.id.replaceAll('-', ''), 'hex').toString('base64url'),
    type: 'webauthn.get',
    extensions: Buffer.alloc(0),
  };
  return {
    answer: (challenge, parts = {}) => {
      const { rpId, origin, userVerified, counter, userHandle, type, extensions } = { ...own, ...parts };
      const client = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
      const count = Buffer.alloc(4);
      count.writeUInt32BE(counter);
      const flags = (userVerified ? 0x05 : 0x01) | (extensions.length > 0 ? 0x80 : 0);
      const data = Buffer.concat([sha256(rpId), Buffer.from([flags]), count, extensions]);
      const response = {
        authenticatorData: data.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        ...(userHandle === undefined ? {} : { userHandle }),
      };
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response,
      };
    },
  };
}
