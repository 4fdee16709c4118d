import { Session } from '../../../contract/dashboard/session.ts';
import type { Api } from '../../../http/api.ts';
import type { DashboardServices } from '../../services.ts';
import { describeSession } from '../../sign-in/describe-session.ts';

/** Where this browser stands: asked first by every page, and answered to everyone. */
export function readSessionRoute(app: Api, services: DashboardServices): void {
  const schema = { response: { 200: Session } };
  app.get('/dashboard/api/session', { config: { access: 'anyone' }, schema }, request =>
    describeSession(request, services, request.sessionToken),
  );
}
