import { type TSchema, Type } from 'typebox';
import { apiErrors, ErrorBody, type ErrorCode, unnamedErrors } from '../contract/errors.ts';
import { choice, closed } from '../contract/values.ts';

interface RouteSchema {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  readonly response: Record<number, TSchema>;
}

/** A route's schema with the errors that every signed route can answer with, for validation and the OpenAPI document. */
export function describe<S extends RouteSchema>(summary: string, schema: S) {
  return {
    ...schema,
    summary,
    response: { ...errors, ...schema.response } as S['response'],
  };
}

const descriptions: Record<number, string> = {
  400: 'The body or the query does not validate, or a rule is violated: `error_code` names which',
  401: 'Not authenticated, or over a limit. The body never says which',
  403: 'The signature is valid, but the key lacks the scope, or what was asked for is switched off',
  404: "No such object in the caller's organization",
  408: 'The request took too long to arrive',
  413: 'The body is over 256 KiB',
  431: 'The head of the request is over 16 KiB, or has more than 200 fields',
  500: 'A failure on our side: retry with a new timestamp, nonce and signature',
};

const retryAfter = {
  type: 'integer',
  description: 'Seconds to wait, where the database was not available or busy',
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

/** The body of an error of the status, with the codes that it may carry. */
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
