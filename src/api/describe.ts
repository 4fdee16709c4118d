import { type TSchema, Type } from 'typebox';
import { apiErrors, ErrorBody, type ErrorCode, unnamedErrors } from '../contract/errors.ts';
import { choice, closed } from '../contract/values.ts';

interface RouteSchema {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  readonly response: Record<number, TSchema>;
}

/** Adds the errors of all signed routes to the schema of a route, for validation and the OpenAPI document. */
export function describe<S extends RouteSchema>(summary: string, schema: S) {
  return {
    ...schema,
    summary,
    response: { ...errors, ...schema.response } as S['response'],
  };
}

const descriptions: Record<number, string> = {
  400: 'The body or query is invalid, or a rule is violated (see `error_code`)',
  401: 'Authentication failed, or a request limit is reached. The body does not reveal the reason',
  403: 'The key lacks the required scope, or the feature is turned off',
  404: 'Not found in the organization of the key',
  408: 'The request was not received in time',
  413: 'The body exceeds 256 KiB',
  431: 'The request headers exceed 16 KiB or 200 fields',
  500: 'Internal error. Retry with a new timestamp, nonce and signature',
};

const retryAfter = {
  type: 'integer',
  description: 'Seconds to wait, if the database was unavailable or busy',
};

const errors = Object.fromEntries(
  Object.entries(descriptions).map(([status, description]) => [
    status,
    {
      ...errorBody(Number(status)),
      description,
      ...(status === '500' ? { headers: { 'Retry-After': retryAfter } } : {}),
    },
  ]),
);

/** Schema of an error body, with the error codes of the status. */
function errorBody(status: number): TSchema {
  const codes = (Object.keys(apiErrors) as ErrorCode[]).filter(
    code => apiErrors[code as keyof typeof apiErrors].status === status && !unnamedErrors.has(code),
  );
  const { error, fields, risk_statement, retry_after_seconds } = ErrorBody.properties;
  return closed({
    error,
    ...(codes.length > 0 ? { error_code: Type.Optional(choice(codes)) } : {}),
    ...(status === 400 ? { fields, risk_statement, retry_after_seconds } : {}),
  });
}
