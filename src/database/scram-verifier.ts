import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/** PostgreSQL's default. */
const iterations = 4096;

/**
 * What PostgreSQL stores of a password for SCRAM-SHA-256 (RFC 5802, RFC 7677), always the same for a password. PostgreSQL stores it as it
 * is, so that the password appears in no statement and in no log of statements.
 *
 * @param password random, of ASCII characters: with its salt, a guessable one could be looked up in a table made for all installations
 */
export function scramVerifier(password: string): string {
  const salt = createHash('sha256').update(`parapet salt ${password}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
