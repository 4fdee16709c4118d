import { type TObject, type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { closed, listLimit, page } from '../../contract/values.ts';
import { ClientError } from '../client-error.ts';

/** Parameters of a page. Short by default: an assistant pays for each row. */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: listLimit,
      default: 25,
      description: `1 to ${listLimit}. Default: 25.`,
    }),
  ),
  cursor: page.cursor,
};

/** @throws ClientError that names each wrong parameter */
export function assertValid(schema: TObject, parameters: unknown): void {
  if (Value.Check(schema, parameters)) return;
  const problems = Value.Errors(schema, parameters).flatMap(problem => {
    const { keyword, instancePath, params, message } = problem;
    const name = instancePath.slice(1);
    if (keyword === 'additionalProperties') {
      return params.additionalProperties.map(unknown => `${JSON.stringify(unknown)} is not a parameter`);
    }
    if (keyword === 'required') return params.requiredProperties.map(missing => `${missing} is required`);
    const { 'x-form': form } = (schema.properties[name] ?? {}) as { 'x-form'?: string };
    return [`${name || 'the parameters'} ${form ?? message}`];
  });
  throw new ClientError(`Invalid parameters: ${[...new Set(problems)].slice(0, 10).join('; ')}`);
}

/** The JSON Schema of parameters, without keywords that only this project knows. */
export function inputSchema(schema: TObject): JsonObject {
  return withoutKeywords(schema, ['x-form']);
}

/**
 * The JSON Schema of a result. Only types and names: a newer service may answer with further words, such as a new kind of source, and
 * clients refuse a result that does not match.
 */
export function outputSchema(properties: TProperties): JsonObject {
  const loose = ['x-form', 'enum', 'pattern', 'format', 'examples', 'minLength', 'maxLength', 'minimum'];
  return withoutKeywords(closed(properties), loose);
}

export type JsonObject = { type: 'object' } & Record<string, unknown>;

function withoutKeywords(schema: TObject, keywords: readonly string[]): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (name, value) => (keywords.includes(name) ? undefined : value)),
  ) as JsonObject;
}
