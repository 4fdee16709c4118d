import { Type } from 'typebox';
import { type ErrorBody, type ErrorCode, errorCatalogue, unnamedErrors } from '../contract/errors.ts';
import { isUuid } from '../contract/uuid.ts';
import { Refusal } from '../domain/refusal.ts';

/** Status and body of an error of the catalogue. */
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

/** What an object that is not there, or not the caller's, is answered with. */
export function found<T>(object: T | undefined): T {
  if (object === undefined) throw new Refusal('not_found');
  return object;
}

/** Throws where there was nothing, or nothing of the caller's, to do it with. */
export function assertFound(done: boolean): void {
  if (!done) throw new Refusal('not_found');
}

/** A malformed id is answered with 404 by the handler, not with 400 by validation: any text fits here. */
export const IdParams = Type.Object({ id: Type.String({ description: 'UUID' }) });

/** The `:id` of a path. One that no object can have is answered like one that no object has. */
export function objectId(params: { id: string }): string {
  const id = params.id.toLowerCase();
  if (!isUuid(id)) throw new Refusal('not_found');
  return id;
}
