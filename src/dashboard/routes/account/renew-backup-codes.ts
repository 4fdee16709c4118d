import { BackupCodes } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { auditAccount } from '../../../resources/people/accounts.ts';
import { renewBackupCodes } from '../../../resources/people/backup-codes.ts';
import type { DashboardServices } from '../../services.ts';
import { renewingTransaction } from '../../sign-in/open-session.ts';

/** Creates ten backup codes, shown only once. The previous codes become invalid. */
export function renewBackupCodesRoute(app: App, services: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: BackupCodes } };
  const config = { access: 'person', stepUp: true } as const;
  app.post('/dashboard/api/account/backup-codes', { config, schema }, async (request, reply) => {
    const { id } = request.person;
    // Backup codes replace a factor, so they require one.
    if (!request.session!.secondFactorSetUp) throw new Refusal('second_factor_enrolment_required');
    return renewingTransaction(request, reply, services, async transaction => {
      const codes = await renewBackupCodes(transaction, id);
      await auditAccount(transaction, request.actor, id, { action: 'person.backup_codes_renewed' });
      return { backup_codes: codes };
    });
  });
}
