import { Type } from 'typebox';
import { closed } from '../contract/values.ts';
import type { App } from './app.ts';

/** For redirects from an OpenID provider, which may add parameters (RFC 6749, section 4.1.2). */
export const anyQuery = Type.Object({});

/**
 * Rejects query parameters on routes that declare none: a mistaken `?dry_run=1` must not perform the action. Call it before adding
 * routes.
 */
export function closeQueries(scope: App): void {
  scope.addHook('onRoute', route => {
    route.schema = { querystring: closed({}), ...route.schema };
  });
}
