import { briefTransaction } from '../../database/brief-transaction.ts';
import { beginDigests } from '../../resources/notifications/digests.ts';
import { fanOut } from '../../resources/notifications/fan-out.ts';
import { recordForeseen } from '../../resources/notifications/foreseen-notices.ts';
import type { WorkerServices } from '../services.ts';
import { atOnce, attemptEach } from './attempt-each.ts';

type Services = Pick<WorkerServices, 'storage' | 'log' | 'messages'>;

/** Turns what happened, and what is due, into messages. Every worker does this: rows that another one has are skipped. */
export async function prepareMessages(services: Services): Promise<void> {
  const { system } = services.storage;
  const hasMail = services.messages.mailer !== undefined;
  const happened = await system.due.notices(atOnce);
  await attemptEach(services, 'notices.not_sent_on', happened, async store => {
    await briefTransaction(store, transaction => fanOut(transaction, hasMail));
  });
  const due = await system.due.digests(atOnce);
  await attemptEach(services, 'digests.not_begun', due, async store => {
    await briefTransaction(store, transaction => beginDigests(transaction, hasMail));
  });
}

/** Notices of what is about to end, in all organizations. */
export async function foresee(services: Services): Promise<void> {
  const all = await services.storage.system.listOrganizations();
  const organizations = all.map(({ id }) => ({ organizationId: id }));
  await attemptEach(services, 'notices.not_foreseen', organizations, async store => {
    await briefTransaction(store, recordForeseen);
  });
}
