import { AccountSecurity } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { passwordChangedAt } from '../../../resources/people/accounts.ts';
import { countBackupCodes } from '../../../resources/people/backup-codes.ts';
import { listIdentities } from '../../../resources/people/identities.ts';
import { listPasskeys } from '../../../resources/people/passkeys.ts';
import { listSessions } from '../../../resources/people/sessions.ts';
import { totpSetUpAt } from '../../../resources/people/totp.ts';

/** Sign-in methods and sessions of the account. */
export function readSecurityRoute(app: App): void {
  const schema = { response: { 200: AccountSecurity } };
  const config = { access: 'enrolment' } as const;
  app.get('/dashboard/api/account/security', { config, schema }, async request => {
    const { people } = request;
    const { id } = request.person;
    const [totp, passkeys, backupCodes, passwordChanged, identities, sessions] = await Promise.all([
      totpSetUpAt(people, id),
      listPasskeys(people, id),
      countBackupCodes(people, id),
      passwordChangedAt(people, id),
      listIdentities(people, id),
      listSessions(people, id, request.session!.id),
    ]);
    return {
      totp_set_up_at: totp ?? null,
      passkeys,
      backup_codes_left: backupCodes,
      password_changed_at: passwordChanged,
      identities,
      sessions,
    };
  });
}
