import { LinkToken, SetUpLink } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { previewSetUp } from '../../../resources/people/one-time-links.ts';

/** A POST, so that the link token appears in no URL and no log. */
export function previewSetUpRoute(app: App): void {
  const schema = { body: LinkToken, response: { 200: SetUpLink } };
  const config = { access: 'anyone', stepUp: { notNeeded: 'Changes nothing.' } } as const;
  app.post('/dashboard/api/set-up/preview', { config, schema }, async request => ({
    expires_at: await previewSetUp(request.unproven, request.body.token),
  }));
}
