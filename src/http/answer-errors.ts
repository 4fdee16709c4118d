import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode, FieldError } from '../contract/errors.ts';
import { type Outages, retryAfterSeconds } from '../database/outages.ts';
import { Refusal } from '../domain/refusal.ts';
import { errorAnswer } from './answers.ts';

/**
 * Every error of every route becomes one of the catalogue. What went wrong inside goes to the log only, and of an outage of
 * the database once for all requests.
 */
export function answerError(
  outages: Pick<Outages, 'countsRequest'>,
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { code, details } = classify(error);
  if (code === 'request_failed') {
    const waited = error instanceof Refusal;
    const isOutage = outages.countsRequest(error, waited);
    if (isOutage || waited) void reply.header('retry-after', retryAfterSeconds);
    // What a tenant can cause by its own load must not wake the operator.
    if (!isOutage && waited) request.log.warn({ reason: error.cause }, 'request waited too long');
    if (!isOutage && !waited) request.log.error({ err: error }, 'request failed');
  }
  const { status, body } = errorAnswer(code, bounded(details));
  // The rest of an over-size body is never read: without closing, the client could go on sending it.
  if (code === 'payload_too_large') void reply.header('connection', 'close');
  // A route may have said already that it answers with a file, which then could not be read.
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .type('application/json; charset=utf-8')
    .removeHeader('content-disposition')
    .send(body);
}

function classify(error: FastifyError | Error): Pick<Refusal, 'code' | 'details'> {
  if (error instanceof Refusal) return error;
  if ('validation' in error && error.validation) {
    return error.validationContext === 'querystring'
      ? { code: 'invalid_query', details: { fields: fieldErrors(error.validation, ofList) } }
      : { code: 'invalid_body', details: { fields: fieldErrors(error.validation) } };
  }
  const { code, statusCode } = error as Partial<FastifyError>;
  return { code: codeOf(code, statusCode ?? 500), details: {} };
}

/** In a query all is text, but for what is there more than once. */
const ofList = 'must be there once';

/** What the framework or a plugin refuses is the client's doing, and no failure of ours. Bodies that break off are refused by who reads them. */
function codeOf(code: string | undefined, status: number): ErrorCode {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'payload_too_large';
  // A file that may not be had is answered like one that does not exist.
  if (status === 403 || status === 404) return 'not_found';
  return status >= 400 && status < 500 ? 'invalid_body' : 'request_failed';
}

/** Problems of one answer: whoever sent more than this sees the rest when these are fixed. */
const maxFields = 20;
/** Characters of a path or a message, both of which may repeat what was sent. */
const maxFieldText = 200;

/** What an answer says of the fields that failed: not more of it than a person reads, however much was sent. */
function bounded(details: Refusal['details']): Refusal['details'] {
  if (details.fields === undefined) return details;
  const fields = details.fields.slice(0, maxFields).map(({ path, message }) => ({
    path: path.slice(0, maxFieldText).toWellFormed(),
    message: message.slice(0, maxFieldText).toWellFormed(),
  }));
  if (details.fields.length > maxFields) fields.push({ path: '', message: 'has more problems' });
  return { ...details, fields };
}

/** Keywords whose error only repeats those of their branches, or of the field that chooses one. */
const unions = new Set(['anyOf', 'oneOf', 'discriminator']);

type ValidationErrors = NonNullable<FastifyError['validation']>;

/**
 * Ajv's errors as the fields that failed, each once, and not many more than are told.
 *
 * @param ofType the message for a value of the wrong type; Ajv's own by default
 */
export function fieldErrors(errors: ValidationErrors, ofType?: string): FieldError[] {
  const fields = new Map<string, FieldError>();
  for (const { instancePath, keyword, params, message } of errors) {
    // The branches of a union each complain; which one was meant is told by the field that differs.
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
  if (keyword === 'additionalProperties') return 'is not a field of this request';
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  if (keyword === 'const') return `must be ${String(params.allowedValue)}`;
  if (keyword === 'pattern' && typeof params.words === 'string') return params.words;
  if (keyword === 'pattern') return 'has characters or a form that are not allowed here';
  return message ?? 'is not valid';
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
