import { Type } from 'typebox';
import { choice } from '../../../contract/values.ts';
import type { Api } from '../../../http/api.ts';
import { setOidcCookie } from '../../cookies.ts';
import { isAskedHere } from '../../cross-site.ts';
import { dashboardAddress } from '../../dashboard-address.ts';
import type { DashboardServices } from '../../services.ts';

const Query = Type.Object(
  { purpose: Type.Optional(choice(['sign_in', 'link', 'step_up'])) },
  { additionalProperties: false },
);

/** Sends the browser to the OpenID provider. */
export function beginOidcRoute(app: Api, services: DashboardServices): void {
  const config = { access: 'anyone' } as const;
  const schema = { querystring: Query };
  app.get('/dashboard/api/oidc/begin', { config, schema }, async (request, reply) => {
    const { oidc } = services;
    const signIn = `${dashboardAddress(services, request)}/sign-in`;
    // A page of another site must not put another session in the place of somebody's.
    if (!oidc || !isAskedHere(request)) return reply.redirect(signIn);
    try {
      const { url, attempt } = await oidc.begin(request.query.purpose ?? 'sign_in');
      await setOidcCookie(reply, services, attempt);
      return reply.redirect(url);
    } catch (error) {
      request.log.warn({ reason: reasonOf(error) }, 'the OpenID provider cannot be asked');
      return reply.redirect(`${signIn}?problem=provider_unreachable`);
    }
  });
}

/** What the library says of it: a code and a sentence, no token. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return `${code ?? ''} ${message ?? ''}`.trim().slice(0, 300);
}
