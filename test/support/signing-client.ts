import { createHash, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type ReceivedAnswer, sendRequest } from './send-request.ts';

/** A key as `keys mint` prints it. */
export interface ClientKey {
  readonly token: string;
  readonly token_id: string;
  readonly signing_key: string;
}

/** The nine signed values and what is sent of them; a test may tamper with each separately. */
export interface SignedParts {
  method: string;
  /** Path and query, as sent. */
  target: string;
  body: string | Buffer | undefined;
  headers: Record<string, string>;
}

export interface SignOptions {
  readonly now?: number;
  readonly nonce?: string;
  /** Signs another value instead of each named one. */
  readonly signInstead?: Partial<Record<SignedValue, string>>;
}

export const signedValues = [
  'version',
  'method',
  'pathname',
  'timestamp',
  'nonce',
  'contentType',
  'digest',
  'tokenId',
  'schema',
] as const;
type SignedValue = (typeof signedValues)[number];

/**
 * Signs a request according to the specification, implemented again so that tests do not depend on the product's own
 * client.
 */
export function signRequest(
  key: ClientKey,
  method: string,
  target: string,
  body?: string | Buffer,
  options: SignOptions = {},
): SignedParts {
  const timestamp = String(options.now ?? Math.floor(Date.now() / 1000));
  const nonce = options.nonce ?? randomBytes(16).toString('base64url');
  const values: Record<SignedValue, string> = {
    version: 'v2',
    method,
    pathname: target.split('?')[0]!,
    timestamp,
    nonce,
    contentType: 'application/json',
    digest: createHash('sha256')
      .update(body ?? '')
      .digest('hex'),
    tokenId: key.token_id,
    schema: '2',
    ...options.signInstead,
  };
  const message = signedValues.map(name => values[name]).join('|');
  const signature = sign(null, Buffer.from(message), privateKeyOf(key)).toString('hex');
  return {
    method,
    target,
    body,
    headers: {
      authorization: `Bearer ${key.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-service-timestamp': timestamp,
      'x-service-nonce': nonce,
      'x-service-token-id': key.token_id,
      'x-service-signature': signature,
    },
  };
}

/** Importing a key takes far longer than signing with it. */
const privateKeys = new WeakMap<ClientKey, KeyObject>();

function privateKeyOf(key: ClientKey): KeyObject {
  const known = privateKeys.get(key);
  if (known) return known;
  const der = Buffer.from(key.signing_key.replace('svc_sign_', ''), 'base64url');
  const read = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  privateKeys.set(key, read);
  return read;
}

export interface Answer extends ReceivedAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  readonly json: any;
}

/** Sends signed parts to a service. */
export async function send(url: string, parts: SignedParts): Promise<Answer> {
  const answer = await sendRequest(url + parts.target, parts);
  return { ...answer, json: answer.text === '' ? undefined : JSON.parse(answer.text) };
}

/** Signs and sends; an object body is sent as JSON. */
export async function call(
  url: string,
  key: ClientKey,
  method: string,
  target: string,
  body?: object,
  options?: SignOptions,
): Promise<Answer> {
  return send(url, signRequest(key, method, target, body && JSON.stringify(body), options));
}
