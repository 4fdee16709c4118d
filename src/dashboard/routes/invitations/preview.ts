import { InvitationPreview, LinkToken } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import { previewInvitation } from '../../../resources/people/invitations.ts';

export function previewInvitationRoute(app: App): void {
  const schema = { body: LinkToken, response: { 200: InvitationPreview } };
  const config = { access: 'anyone', stepUp: { notNeeded: 'Changes nothing.' } } as const;
  app.post('/dashboard/api/invitations/preview', { config, schema }, request =>
    previewInvitation(request.unproven, request.body.token),
  );
}
