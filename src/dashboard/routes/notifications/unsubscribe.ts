import type { FastifyRequest } from 'fastify';
import { Unsubscribe, Unsubscribed, UnsubscribeParams } from '../../../contract/dashboard/notifications.ts';
import type { App } from '../../../http/app.ts';
import { findSubscription, unsubscribe } from '../../../resources/notifications/unsubscribe.ts';

const path = '/dashboard/api/unsubscribe';

/** Forms as mail programs send them. Their content is `List-Unsubscribe=One-Click` (RFC 8058) and decides nothing. */
const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const mostBytes = 1_024;

/** Turns off mail with the link of a message, without a session: by the page that the link opens, or by a mail program. */
export function unsubscribeRoutes(app: App): void {
  const config = {
    access: 'anyone',
    stepUp: { notNeeded: 'Requires the secret link of a message, and turns off mail only.' },
  } as const;
  const turnOff = async ({ people, unproven }: FastifyRequest, token: string) => {
    const subscription = await findSubscription(unproven, token);
    const concern = { personId: subscription.personId };
    return people.transaction(transaction => unsubscribe(transaction, subscription), concern);
  };
  const ofPage = { body: Unsubscribe, response: { 200: Unsubscribed } };
  app.post(path, { config, schema: ofPage }, request => turnOff(request, request.body.token));
  // Encapsulated: no other route takes forms.
  void app.register(async scope => {
    scope.addContentTypeParser(forms, { parseAs: 'string', bodyLimit: mostBytes }, async () => undefined);
    const ofProgram = { params: UnsubscribeParams, response: { 200: Unsubscribed } };
    (scope as unknown as App).post(`${path}/:token`, { config, schema: ofProgram }, request =>
      turnOff(request, request.params.token),
    );
  });
}
