import { Session } from '../../../contract/dashboard/session.ts';
import type { App } from '../../../http/app.ts';
import type { DashboardServices } from '../../services.ts';
import { describeSession } from '../../sign-in/describe-session.ts';

/** Where this browser stands: asked first by every page, and answered to everyone. */
export function readSessionRoute(app: App, services: DashboardServices): void {
  const schema = { response: { 200: Session } };
  app.get('/dashboard/api/session', { config: { access: 'anyone' }, schema }, request =>
    describeSession(request, services, request.sessionToken),
  );
}
