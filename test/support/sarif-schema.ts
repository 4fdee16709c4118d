import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/**
 * Validates logs with the standard's own schema. It uses draft 4, which differs from draft 7 only in the name of `$id`,
 * as far as it is used.
 */
export function sarifValidator(): ValidateFunction {
  const file = new URL('schemas/sarif-2.1.0.json', import.meta.url);
  const { $schema: _, id, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile({ $id: id, ...schema });
}
