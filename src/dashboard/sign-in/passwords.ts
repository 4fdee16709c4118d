import { hash, verify } from '@node-rs/argon2';
import { leastPasswordScore, passwordLength } from '../../contract/dashboard/password.ts';
import { Refusal } from '../../domain/refusal.ts';
import { judgePassword } from './password-judge.ts';
import type { Place } from './password-queue.ts';

/** Argon2id parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane; about 20 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes a password with Argon2id, in the PHC string format (RFC 9106). */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), parameters);
}

/** Unicode normalization, so that all ways to type a password match (NIST SP 800-63B-4, section 3.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

let decoyHash: Promise<string> | undefined;

/** Whether the password matches the hash. Takes equally long without a hash. */
export async function isPassword(
  password: string,
  passwordHash: string | null | undefined,
): Promise<boolean> {
  if (passwordHash) return compare(passwordHash, password);
  decoyHash ??= hashPassword('no account has this password');
  await compare(await decoyHash, password);
  return false;
}

function compare(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, normalized(password));
}

/** Characters to estimate: the time is quadratic in the length, and longer passwords are not easier to guess. */
const estimated = 48;

/**
 * Rejects with `weak_password` if the password is easy to guess, known from breaches, or derived from known facts about the
 * person; and with `too_busy`.
 *
 * @param known name, email address, organization
 * @param place signed-in people and holders of a link from the operator use the line `first`
 */
export async function assertStrongPassword(
  typed: string,
  known: readonly string[],
  place: Place,
): Promise<void> {
  const refuse = (message: string) => {
    throw new Refusal('weak_password', { fields: [{ path: 'password', message }] });
  };
  const password = normalized(typed);
  // Normalization can expand one typed character into many, which adds no entropy.
  if (Math.min([...typed].length, password.length) < passwordLength.min)
    refuse(`must have at least ${passwordLength.min} characters`);
  // Also without separators, which the estimate overrates.
  const forms = [password, password.replaceAll(/[^\p{L}\p{N}]/gu, '')].map(form => form.slice(0, estimated));
  const judgement = await judgePassword(
    { password, forms, known: known.flatMap(one => words(normalized(one))) },
    place,
  );
  if (judgement?.isBreached) refuse('is in a list of breached passwords');
  if (!judgement || judgement.score < leastPasswordScore)
    refuse('is too easy to guess. Use a longer password of unrelated words');
}

function words(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter(word => word.length >= 3);
}
