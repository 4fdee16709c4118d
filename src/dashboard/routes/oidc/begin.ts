import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { choice } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import type { OpenSession } from '../../../resources/people/sessions.ts';
import { setOidcCookie } from '../../cookies.ts';
import { isAskedHere } from '../../cross-site.ts';
import { dashboardAddress } from '../../dashboard-address.ts';
import type { DashboardServices } from '../../services.ts';
import { stateOf } from '../../sign-in/describe-session.ts';

const Query = Type.Object(
  { purpose: Type.Optional(choice(['sign_in', 'link', 'step_up'])) },
  { additionalProperties: false },
);

/** Redirects the browser to the OpenID provider. */
export function beginOidcRoute(app: App, services: DashboardServices): void {
  const config = { access: 'anyone' } as const;
  const schema = { querystring: Query };
  app.get('/dashboard/api/oidc/begin', { config, schema }, async (request, reply) => {
    const { oidc } = services;
    const signIn = `${dashboardAddress(services, request)}/sign-in`;
    const { purpose = 'sign_in' } = request.query;
    const session = purpose === 'sign_in' ? null : askingSession(request);
    // A page of another site must not replace the session.
    if (!oidc || !isAskedHere(request) || session === undefined) return reply.redirect(signIn);
    try {
      const { url, attempt } = await oidc.begin({ purpose, sessionId: session?.id ?? null });
      await setOidcCookie(reply, services, attempt);
      return reply.redirect(url);
    } catch (error) {
      request.log.warn({ reason: reasonOf(error) }, 'oidc.unreachable');
      return reply.redirect(`${signIn}?problem=provider_unreachable`);
    }
  });
}

/** The session of the signed-in person. A second factor that the role requires may still be missing. */
function askingSession({ session }: FastifyRequest): OpenSession | undefined {
  return session && stateOf(session) !== 'second_factor' ? session : undefined;
}

/** Error code and message of the library, without tokens. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return `${code ?? ''} ${message ?? ''}`.trim().slice(0, 300);
}
