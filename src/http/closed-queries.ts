import { Type } from 'typebox';
import { closed } from '../contract/values.ts';
import type { App } from './app.ts';

/** For an address that others write, who may add parameters (RFC 6749, section 4.1.2). */
export const anyQuery = Type.Object({});

/**
 * Refuses every query parameter of the scope's routes that name none: a mistaken `?dry_run=1` must not do the real thing. Add it
 * before the routes.
 */
export function closeQueries(scope: App): void {
  scope.addHook('onRoute', route => {
    route.schema = { querystring: closed({}), ...route.schema };
  });
}
