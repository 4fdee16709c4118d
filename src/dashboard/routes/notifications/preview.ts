import type { FastifyRequest } from 'fastify';
import { MessagePreview, PreviewMessage } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { mailBody } from '../../../messages/mail/mail.ts';
import type { Reader } from '../../../messages/write/reader.ts';
import { writeAlert } from '../../../messages/write/write-alert.ts';
import { writeDigest } from '../../../messages/write/write-digest.ts';
import { readDigestFacts } from '../../../resources/notifications/digest-facts.ts';
import { readSampleAlert } from '../../../resources/notifications/sample-alert.ts';
import { readNotifications } from '../../../resources/notifications/settings.ts';
import { dashboardAddress } from '../../dashboard-address.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

const dayMs = 86_400_000;

/** A message as it would be sent now: the digest of the last days, or an alert with the newest findings. */
export function previewMessageRoutes(app: App, services: DashboardServices): void {
  const config = { access: 'member' } as const;
  const path = `${organizationPath}/notifications/preview`;
  const schema = { querystring: PreviewMessage, response: { 200: MessagePreview } };
  app.get(path, { config, schema }, request => preview(request, request.query.purpose, services));
  app.get(`${path}/html`, { config, schema: { querystring: PreviewMessage } }, async (request, reply) => {
    const { html } = await preview(request, request.query.purpose, services);
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(html);
  });
}

function preview(request: FastifyRequest, purpose: PreviewMessage['purpose'], services: DashboardServices) {
  const { id: personId } = request.person;
  return request.store.read(async session => {
    const [organization] = await session.query<{ id: string; name: string }>({
      text: 'select id, name from organizations',
    });
    const found = await readNotifications(session, { personId, role: request.role }, services.sendsMail);
    const { severity, digest } = found.settings ?? found.defaults;
    const reader: Reader = {
      organization: organization!,
      dashboard: dashboardAddress(services, request),
      timeZone: found.preferences.time_zone,
      medium: 'mail',
    };
    const from = new Date(Date.now() - (digest === 'daily' ? 1 : 7) * dayMs).toISOString();
    const message =
      purpose === 'digest'
        ? writeDigest(
            await readDigestFacts(session, { from, until: new Date().toISOString() }, personId),
            reader,
          )
        : writeAlert(await readSampleAlert(session, severity), reader);
    return mailBody(message!);
  });
}
