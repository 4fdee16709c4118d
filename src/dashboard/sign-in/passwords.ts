import { hash, verify } from '@node-rs/argon2';
import { leastPasswordScore, passwordLength } from '../../contract/dashboard/password.ts';
import { Refusal } from '../../domain/refusal.ts';
import { judgePassword } from './password-judge.ts';
import type { Place } from './password-queue.ts';

/** Argon2id as the OWASP Password Storage Cheat Sheet has it: 19 MiB, two passes, one lane; about 20 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The form in which a password is kept: Argon2id in the PHC string format (RFC 9106). */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), parameters);
}

/** One form for all ways to type it (NIST SP 800-63B-4, section 3.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

let nobodys: Promise<string> | undefined;

/** Whether it is the password. Takes as long where there is none to compare with. */
export async function isPassword(
  password: string,
  passwordHash: string | null | undefined,
): Promise<boolean> {
  if (passwordHash) return compare(passwordHash, password);
  nobodys ??= hashPassword('nobody has this password');
  await compare(await nobodys, password);
  return false;
}

function compare(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, normalized(password));
}

/** The estimate takes time that grows with the square of the length; what is longer is not easier to guess. */
const estimated = 48;

/**
 * Rejects with `weak_password` where the password is easy to guess, known from breaches, or made of what is known of the person;
 * and with `too_busy`.
 *
 * @param known name, address, organization
 * @param place who is signed in, or has a link of the operator's, is in the line that goes first
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
  // One character that is typed may become many, which a guesser has as easily.
  if (Math.min([...typed].length, password.length) < passwordLength.min)
    refuse(`must have at least ${passwordLength.min} characters`);
  // Also without what joins the words: the estimate takes a dash for a surprise.
  const forms = [password, password.replaceAll(/[^\p{L}\p{N}]/gu, '')].map(form => form.slice(0, estimated));
  const judgement = await judgePassword(
    { password, forms, known: known.flatMap(one => words(normalized(one))) },
    place,
  );
  if (judgement?.isBreached) refuse('is in a list of passwords that were breached');
  if (!judgement || judgement.score < leastPasswordScore)
    refuse('is too easy to guess: make it longer, of words that do not belong together');
}

function words(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter(word => word.length >= 3);
}
