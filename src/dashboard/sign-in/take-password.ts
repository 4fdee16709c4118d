import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/refusal.ts';
import { findAccountById } from '../../resources/people/accounts.ts';
import { countAttempt, forgetAttempts, inSession } from '../../resources/people/sign-in-attempts.ts';
import { passwordQueue } from './password-queue.ts';
import { isPassword } from './passwords.ts';
import type { WrongPasswords } from './wrong-passwords.ts';

/** Verifies the password of the person. Throws `password_wrong`, `too_many_attempts` and `too_busy`. */
export async function takePassword(
  request: FastifyRequest,
  wrongPasswords: WrongPasswords,
  password: string,
): Promise<void> {
  const { people } = request;
  const { id } = request.person;
  const attempts = [inSession('password', request.session!.id)];
  await countAttempt(people, attempts);
  const account = await findAccountById(people, id);
  const isRight = () => isPassword(password, account?.passwordHash);
  if (!(await passwordQueue.run({ line: 'first', holder: id }, isRight))) {
    wrongPasswords.add(request, id, 'person.password_failed');
    throw new Refusal('password_wrong');
  }
  await forgetAttempts(people, attempts);
}
