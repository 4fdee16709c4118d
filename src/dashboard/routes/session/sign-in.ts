import type { FastifyRequest } from 'fastify';
import { Session, SignIn } from '../../../contract/dashboard/session.ts';
import { clientNetwork } from '../../../domain/client-network.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount, findAccount, foldEmail, lockAccount } from '../../../resources/people/accounts.ts';
import { stampOfCodes } from '../../../resources/people/second-factors.ts';
import {
  type Admission,
  admitAttempt,
  anythingFromNetwork,
  forgetAttempts,
  passwordFromAnywhere,
  passwordFromNetwork,
  passwordOnDevice,
  rightSignIn,
  standingWait,
} from '../../../resources/people/sign-in-attempts.ts';
import { personActor } from '../../person-actor.ts';
import type { DashboardServices } from '../../services.ts';
import { takeJointFactor } from '../../sign-in/joint-sign-in.ts';
import { knownDevice } from '../../sign-in/known-device.ts';
import { answerSession, openSession } from '../../sign-in/open-session.ts';
import { type Place, passwordQueue } from '../../sign-in/password-queue.ts';
import { isPassword } from '../../sign-in/passwords.ts';
import { askForWork, isWorkDone } from '../../sign-in/proof-of-work.ts';
import { WrongPasswords } from '../../sign-in/wrong-passwords.ts';

/** Signs in with the first factor. Neither the response nor its timing reveals whether the address has an account. */
export function signInRoute(app: App, services: DashboardServices): void {
  const schema = { body: SignIn, response: { 200: Session } };
  const config = {
    access: 'anyone',
    stepUp: { notNeeded: 'Requires the password, and no session.' },
  } as const;
  const wrongPasswords = new WrongPasswords(app);
  app.post('/dashboard/api/sign-in', { config, schema }, async (request, reply) => {
    const { people } = request;
    const { email, password, proof_of_work, second_factor: factor } = request.body;
    const account = await findAccount(people, email);
    const personId = account?.id ?? noAccountId;
    const device = await deviceWithGuesses(request, services, { personId, email });
    const paid = proof_of_work !== undefined && (await isWorkDone(services, people, email, proof_of_work));
    const attempts =
      device !== undefined
        ? [passwordOnDevice(email, device)]
        : [
            passwordFromNetwork(email, request.ip),
            passwordFromAnywhere(email),
            ...(paid && factor ? [] : [anythingFromNetwork(request.ip)]),
          ];
    const rightSignIns = rightSignIn('password', personId, request.ip, device);
    // Known browsers count them before the hash. In other browsers, wrong guesses must not use up the successful sign-ins of
    // the account owner.
    const [counted, asked] =
      device !== undefined ? [[...attempts, rightSignIns], []] : [attempts, [rightSignIns]];
    const refuseWaiting = async ({ wait, price }: Admission) => {
      if (wait === 0) return;
      const isEnough = price === 'work' || (price !== undefined && factor !== undefined);
      throw new Refusal('too_many_attempts', {
        retry_after_seconds: wait,
        ...(price === 'work_and_factor' ? { with_second_factor: true } : {}),
        ...(isEnough ? { proof_of_work: await askForWork(services, email) } : {}),
      });
    };
    await refuseWaiting(await standingWait(people, [...attempts, rightSignIns], paid));
    const network = clientNetwork(request.ip);
    const place: Place = paid
      ? { line: 'paid', holder: `${foldEmail(email)} ${network}` }
      : device !== undefined
        ? { line: 'first', holder: personId }
        : { line: 'others', holder: network };
    const compared = passwordQueue.run(place, async () => {
      await refuseWaiting(await admitAttempt(people, counted, paid, asked));
      return isPassword(password, account?.passwordHash);
    });
    const right = await compared.catch(async error => {
      if (!(error instanceof Refusal && error.code === 'too_busy')) throw error;
      throw new Refusal('too_busy', { ...error.details, proof_of_work: await askForWork(services, email) });
    });
    const stamp = factor && (await takeJointFactor(request, services, { personId, right, factor }));
    if (!account || !right || (factor && stamp === undefined)) {
      if (account) wrongPasswords.add(request, account.id, 'person.sign_in_failed');
      const reason = !account ? 'account_unknown' : right ? 'second_factor' : 'password';
      throw new Refusal('sign_in_failed', {}, { because: { reason } });
    }
    await forgetAttempts(people, attempts);
    if (device === undefined) await refuseWaiting(await admitAttempt(people, [rightSignIns], paid));
    const token = await people.transaction(
      async transaction => {
        // The password may have been changed or removed, and all sessions ended, during the comparison.
        const now = await lockAccount(transaction, account.id);
        if (now?.passwordHash !== account.passwordHash) throw accountChanged();
        const actor = personActor(request, account.id);
        if (!factor) {
          const opened = await openSession(request, transaction, account.id, 'password');
          await auditAccount(transaction, actor, account.id, { action: 'person.password_accepted' });
          return opened;
        }
        if ((await stampOfCodes(transaction, account.id)) !== stamp) throw accountChanged();
        const opened = await openSession(request, transaction, account.id, 'both factors');
        const detail = { second_factor: factor.type };
        await auditAccount(transaction, actor, account.id, { action: 'person.signed_in', detail });
        return opened;
      },
      { personId: account.id },
    );
    return answerSession(request, reply, services, token);
  });
}

/**
 * Token of a known browser with guesses left. Without any left it is treated as an unknown browser, which can do a proof of
 * work: a copy of its cookie must not delay its owner.
 */
async function deviceWithGuesses(
  request: FastifyRequest,
  services: DashboardServices,
  { personId, email }: { readonly personId: string; readonly email: string },
): Promise<string | undefined> {
  const device = await knownDevice(request, services, personId);
  if (device === undefined) return undefined;
  const { wait } = await standingWait(request.people, [passwordOnDevice(email, device)], false);
  return wait > 0 ? undefined : device;
}

function accountChanged(): Refusal {
  return new Refusal('sign_in_failed', {}, { because: { reason: 'account_changed' } });
}

/** Id without an account. Unknown addresses use it for the same queries as accounts, which then take equally long. */
const noAccountId = '00000000-0000-0000-0000-000000000000';
