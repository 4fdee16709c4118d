import { Session } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import type { DashboardServices } from '../../services.ts';
import { describeSession } from '../../sign-in/describe-session.ts';

/** State of the session. Pages request it first, signed in or not. */
export function readSessionRoute(app: App, services: DashboardServices): void {
  const schema = { response: { 200: Session } };
  app.get('/dashboard/api/session', { config: { access: 'anyone' }, schema }, request =>
    describeSession(request, services, request.sessionToken),
  );
}
