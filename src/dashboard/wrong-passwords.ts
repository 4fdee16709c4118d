import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/refusal.ts';
import type { Api } from '../http/api.ts';
import { auditAccount } from '../storage/people/accounts.ts';
import { LaterEntries } from './later-entries.ts';
import { personActor } from './person-actor.ts';

/** Where a password was wrong: signing in, or in a session. */
type Action = 'person.sign_in_failed' | 'person.password_failed';

/**
 * Entries of the audit log about wrong passwords, written some moments after the answer, and at once when the service stops. Every
 * route that compares a password adds its failures here, once the attempt has been counted.
 */
export class WrongPasswords {
  readonly #entries = new LaterEntries();

  constructor(app: Api) {
    app.addHook('onClose', () => this.#entries.close());
  }

  add(request: FastifyRequest, personId: string, action: Action): void {
    this.#entries.add(last => record(request, personId, action, last));
  }
}

/** False where others are in line, and it has to be tried again. What cannot be written is logged. */
async function record(
  request: FastifyRequest,
  personId: string,
  action: Action,
  last: boolean,
): Promise<boolean> {
  const actor = personActor(request, personId);
  try {
    await request.people.transaction(transaction => auditAccount(transaction, actor, personId, { action }), {
      personId,
    });
    return true;
  } catch (error) {
    if (!last && error instanceof Refusal && error.code === 'too_busy') return false;
    request.log.error({ err: error }, 'a wrong password is not in the audit log');
    return true;
  }
}
