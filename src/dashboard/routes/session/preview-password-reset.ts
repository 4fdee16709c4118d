import { LinkToken, PasswordReset } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { previewPasswordLink } from '../../../resources/people/one-time-links.ts';

export function previewPasswordResetRoute(app: App): void {
  const schema = { body: LinkToken, response: { 200: PasswordReset } };
  const config = { access: 'anyone', stepUp: { notNeeded: 'Changes nothing.' } } as const;
  app.post('/dashboard/api/password-reset/preview', { config, schema }, async request => {
    const { email, expires_at } = await previewPasswordLink(request.unproven, request.body.token);
    return { email, expires_at };
  });
}
