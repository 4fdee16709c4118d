import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode, FieldError } from '../contract/errors.ts';
import { type Outages, retryAfterSeconds } from '../database/outages.ts';
import { Refusal } from '../domain/refusal.ts';
import { errorAnswer } from './answers.ts';
import { describeRefusal, type RefusedRequest } from './describe-refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request is refused, for the log. */
    refused: RefusedRequest | undefined;
  }
}

/**
 * Answers every error with one of the catalogue. Internal details are only logged; a database outage is logged once, instead of for every
 * request.
 */
export function answerError(
  outages: Pick<Outages, 'countsRequest'>,
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { code, details, ...classified } = classify(error);
  request.refused = describeRefusal(code, { details, because: classified.because });
  if (code === 'request_failed') {
    const waited = error instanceof Refusal;
    const isOutage = outages.countsRequest(error, waited);
    if (isOutage || waited) void reply.header('retry-after', retryAfterSeconds);
    // Only a warning: a tenant can cause it with its own load.
    if (!isOutage && waited) request.log.warn({ reason: error.cause }, 'request.waited');
    if (!isOutage && !waited) request.log.error({ err: error }, 'request.failed');
  }
  const { status, body } = errorAnswer(code, bounded(details));
  // The rest of an oversized body is not read: close the connection to make the client stop sending.
  if (code === 'payload_too_large') void reply.header('connection', 'close');
  // A download may have failed after its headers were set.
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .type('application/json; charset=utf-8')
    .removeHeader('content-disposition')
    .send(body);
}

function classify(
  error: FastifyError | Error,
): Pick<Refusal, 'code' | 'details'> & Partial<Pick<Refusal, 'because'>> {
  if (error instanceof Refusal) return error;
  if ('validation' in error && error.validation) {
    return error.validationContext === 'querystring'
      ? { code: 'invalid_query', details: { fields: fieldErrors(error.validation, repeatedMessage) } }
      : { code: 'invalid_body', details: { fields: fieldErrors(error.validation) } };
  }
  const { code, statusCode } = error as Partial<FastifyError>;
  return { code: codeOf(code, statusCode ?? 500), details: {} };
}

/** Query parameters are strings, except for repeated ones, which are arrays. */
const repeatedMessage = 'must be sent only once';

/** Client errors of Fastify and its plugins are not logged as failures. */
function codeOf(code: string | undefined, status: number): ErrorCode {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'payload_too_large';
  // A forbidden file is answered like a missing one.
  if (status === 403 || status === 404) return 'not_found';
  return status >= 400 && status < 500 ? 'invalid_body' : 'request_failed';
}

/** Maximum field errors in an answer. */
const maxFields = 20;
/** Maximum length of a path or message, which may repeat input. */
const maxFieldText = 200;

/** Limits the number and length of field errors. */
function bounded(details: Refusal['details']): Refusal['details'] {
  if (details.fields === undefined) return details;
  const fields = details.fields.slice(0, maxFields).map(({ path, message }) => ({
    path: path.slice(0, maxFieldText).toWellFormed(),
    message: message.slice(0, maxFieldText).toWellFormed(),
  }));
  if (details.fields.length > maxFields) fields.push({ path: '', message: 'has more errors' });
  return { ...details, fields };
}

/** Keywords whose error only repeats the errors of their branches. */
const unions = new Set(['anyOf', 'oneOf', 'discriminator']);

type ValidationErrors = NonNullable<FastifyError['validation']>;

/**
 * Converts Ajv errors to field errors, one for each field, and up to one more than an answer includes.
 *
 * @param ofType message for a value of the wrong type; by default the message of Ajv
 */
export function fieldErrors(errors: ValidationErrors, ofType?: string): FieldError[] {
  const fields = new Map<string, FieldError>();
  for (const { instancePath, keyword, params, message } of errors) {
    // Every branch of a union reports errors: skip those of the union itself and of the null branch.
    if (unions.has(keyword) || (keyword === 'type' && params.type === 'null')) continue;
    const parts = instancePath.split('/').slice(1).map(unescapePointer);
    if (keyword === 'required') parts.push(String(params.missingProperty));
    if (keyword === 'additionalProperties')
      parts.push(String(params.additionalProperty).slice(0, maxFieldText));
    const path = parts.join('.');
    const words = (keyword === 'type' && ofType) || wording(keyword, params, message);
    if (!fields.has(path)) fields.set(path, { path, message: words });
    if (fields.size > maxFields) break;
  }
  return [...fields.values()];
}

function wording(keyword: string, params: Record<string, unknown>, message: string | undefined): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a known field';
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  if (keyword === 'const') return `must be ${String(params.allowedValue)}`;
  if (keyword === 'pattern' && typeof params.message === 'string') return params.message;
  if (keyword === 'pattern') return 'has an invalid format';
  return message ?? 'is invalid';
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
