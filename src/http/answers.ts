import { Type } from 'typebox';
import { type ErrorBody, type ErrorCode, errorCatalogue, unnamedErrors } from '../contract/errors.ts';
import { readUuid } from '../contract/uuid.ts';
import { Refusal } from '../domain/refusal.ts';

/** Status and body of an error. */
export function errorAnswer(
  code: ErrorCode,
  details: Refusal['details'] = {},
): { status: number; body: ErrorBody } {
  const { status, error } = errorCatalogue[code];
  return {
    status,
    body: { error, ...(unnamedErrors.has(code) ? {} : { error_code: code }), ...details } as ErrorBody,
  };
}

/** Throws 404 if the object does not exist in the organization. */
export function found<T>(object: T | undefined): T {
  if (object === undefined) throw new Refusal('not_found');
  return object;
}

/** Throws 404 if the change found no object in the organization. */
export function assertFound(done: boolean): void {
  if (!done) throw new Refusal('not_found');
}

/** Accepts any text: the handler answers a malformed ID with 404, not with 400. */
export const IdParams = Type.Object({ id: Type.String({ description: 'UUID' }) });

/** The `:id` of a path. Throws 404 if it is malformed. */
export function objectId(params: { id: string }): string {
  const id = readUuid(params.id);
  if (!id) throw new Refusal('not_found');
  return id;
}
