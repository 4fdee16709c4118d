import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { StorageError } from '../database/storage-error.ts';
import { notABackup } from './manifest.ts';

/** How a backup is encrypted, in the format of age (https://age-encryption.org/v1): at least one of them. */
export interface EncryptionKeys {
  readonly passphrase?: string | undefined;
  /** `age1…`: who has one of their identities can restore. */
  readonly recipients?: readonly string[] | undefined;
}

/** What decrypts it. */
export interface DecryptionKeys {
  readonly passphrase?: string | undefined;
  /** `AGE-SECRET-KEY-…` */
  readonly identities?: readonly string[] | undefined;
}

/** First bytes of an encrypted file. */
const intro = 'age-encryption.org/v1';
/** Bytes of its header, which is in memory: 100 for each of at least 2,500 recipients. */
const longestHeader = 256 * 1024;

/** @throws StorageError if a recipient is not one */
export async function encrypted(
  plain: Readable,
  { passphrase, recipients = [] }: EncryptionKeys,
): Promise<Readable> {
  const encrypter = new Encrypter();
  // age combines a passphrase with nothing else.
  if (passphrase !== undefined && recipients.length > 0) {
    throw new StorageError('A backup is encrypted to a passphrase or to recipients, not to both');
  }
  if (passphrase !== undefined) encrypter.setPassphrase(passphrase);
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new StorageError(`${JSON.stringify(recipient.slice(0, 80))} is not a recipient of age (age1…)`);
    }
  }
  const web = Readable.toWeb(plain) as globalThis.ReadableStream<Uint8Array>;
  return Readable.fromWeb((await encrypter.encrypt(web)) as unknown as ReadableStream);
}

/** The bytes as they were before encryption; those that are not encrypted as they are. @throws StorageError if the keys do not fit */
export async function decrypted(source: AsyncIterable<Buffer>, keys: DecryptionKeys): Promise<Readable> {
  const { isEncrypted, stream } = await peek(source);
  if (!isEncrypted) return stream;
  const decrypter = new Decrypter();
  if (keys.passphrase === undefined && !keys.identities?.length) {
    throw new StorageError('The backup is encrypted: give its passphrase or an identity');
  }
  if (keys.passphrase !== undefined) decrypter.addPassphrase(keys.passphrase);
  try {
    for (const identity of keys.identities ?? []) decrypter.addIdentity(identity);
    const web = Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
    return Readable.fromWeb((await decrypter.decrypt(web)) as unknown as ReadableStream);
  } catch {
    throw new StorageError(
      'The backup cannot be decrypted: the passphrase or the identity is wrong, or the file is damaged',
    );
  }
}

async function peek(source: AsyncIterable<Buffer>): Promise<{ isEncrypted: boolean; stream: Readable }> {
  const rest = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let isEncrypted = false;
  while (start.length < intro.length || (isEncrypted && !hasWholeHeader(start))) {
    if (start.length > longestHeader) throw notABackup('encryption header');
    const { value, done } = await rest.next();
    if (done) break;
    start = Buffer.concat([start, value]);
    isEncrypted = start.subarray(0, intro.length).toString('latin1') === intro;
  }
  async function* all() {
    yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { isEncrypted, stream: Readable.from(all()) };
}

/** Its last line begins with three hyphens. */
function hasWholeHeader(start: Buffer): boolean {
  const last = start.indexOf('\n---');
  return last !== -1 && start.includes('\n', last + 1);
}
