import { generateURI } from 'otplib';
import { TotpEnrolment } from '../../../contract/dashboard/session.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { beginTotp } from '../../../resources/people/totp.ts';
import { openTransaction } from '../../open-transaction.ts';
import type { DashboardServices } from '../../services.ts';

/** Creates a TOTP secret. The previous one stays valid until a code of the new one is confirmed. */
export function beginTotpRoute(app: App, { storage }: DashboardServices): void {
  const schema = { body: closed({}), response: { 200: TotpEnrolment } };
  const config = { access: 'enrolment', stepUp: true } as const;
  app.post('/dashboard/api/account/totp', { config, schema }, async request => {
    const { id, email } = request.person;
    const secret = await openTransaction(request, request.people, transaction =>
      beginTotp(transaction, storage.keyRing, id),
    );
    return { secret, uri: generateURI({ issuer: 'Parapet', label: email, secret }) };
  });
}
