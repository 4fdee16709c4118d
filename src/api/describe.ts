import type { TSchema } from 'typebox';
import { ErrorBody } from '../contract/errors.ts';

interface RouteSchema {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  readonly response: Record<number, TSchema>;
}

/** A route's schema with the errors that every signed route can answer with, for validation and the OpenAPI document. */
export function describe<S extends RouteSchema>(summary: string, schema: S) {
  const error = (description: string) => ({ ...ErrorBody, description });
  return {
    ...schema,
    summary,
    response: {
      400: error('The body or the query does not validate, or a rule is violated: `error_code` names which'),
      401: error('Not authenticated, or over a limit. The body never says which'),
      403: error(
        'The signature is valid, but the key lacks the scope, or what was asked for is switched off',
      ),
      404: error("No such object in the caller's organization"),
      413: error('The body is over 256 KiB'),
      500: error('A failure on our side: retry with a new timestamp, nonce and signature'),
      ...schema.response,
    } as S['response'],
  };
}
