import { createHash } from 'node:crypto';
import { type Expression, ExpressionWrapper, ValueNode } from 'kysely';
import type { BuiltStatement, Statement } from './connection.ts';

/** The parameters of a statement: a value for each expression, and flags as they are. */
export type Given<Places> = { readonly [Key in keyof Places]: GivenFor<Places[Key]> };
type GivenFor<Place> =
  Place extends Expression<infer Value> ? Value : Place extends boolean | undefined ? Place : Given<Place>;

/** Placeholder for the parameter with this number. */
class Place {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

interface Compiled {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * A statement that is built and compiled once for each shape of its parameters, and prepared on each
 * connection. The shape is which keys exist, at any depth, and which flags are true.
 */
export function prepared<Places extends object, Row>(
  build: (places: Places) => BuiltStatement<Row>,
): (given: Given<Places>) => Statement<Row> {
  const shapes = new Map<string, Compiled>();
  return given => {
    const values: unknown[] = [];
    const shape = shapeOf(given, values);
    let compiled = shapes.get(shape);
    if (!compiled) {
      compiled = compile(build(placesIn(given, { taken: 0 }) as Places));
      shapes.set(shape, compiled);
    }
    const { name, text, parameters } = compiled;
    return {
      name,
      text,
      values: parameters.map(parameter =>
        parameter instanceof Place ? values[parameter.number] : parameter,
      ),
    };
  };
}

function compile(statement: BuiltStatement<unknown>): Compiled {
  const { sql, parameters } = statement.compile();
  // PostgreSQL truncates names to 63 bytes.
  return { name: createHash('sha256').update(sql).digest('hex').slice(0, 32), text: sql, parameters };
}

/** The shape of the parameters as text. Adds their values to `values`. */
function shapeOf(given: object, values: unknown[]): string {
  let shape = '';
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value === 'boolean') shape += `${key}=${value} `;
    else if (isGroup(value)) shape += `${key}{${shapeOf(value, values)}} `;
    else shape += `${key}$${values.push(value)} `;
  }
  return shape;
}

/** The same with an expression instead of each value, in the same order. */
function placesIn(given: object, count: { taken: number }): object {
  const places: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value === 'boolean') places[key] = value;
    else if (isGroup(value)) places[key] = placesIn(value, count);
    else places[key] = new ExpressionWrapper(ValueNode.create(new Place(count.taken++)));
  }
  return places;
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
