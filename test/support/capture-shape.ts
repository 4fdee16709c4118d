import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { TargetSurface } from '../../src/detectors/detector.ts';

/** The structure of a part of a capture. A text with only a few known values is `other`. */
export type Shape =
  | { readonly is: 'text' }
  | { readonly is: 'other'; readonly example: unknown }
  | { readonly is: 'list' | 'record'; readonly of: Shape }
  | { readonly is: 'object'; readonly fields: ReadonlyMap<string, Shape> };

const folder = fileURLToPath(new URL('../../src/captures/', import.meta.url));
const types = {
  website: 'WebsiteCapture',
  postgres: 'PostgresCapture',
  mysql: 'MysqlCapture',
  redis: 'RedisCapture',
  supabase: 'SupabaseCapture',
} as const satisfies Record<TargetSurface, string>;

const fileOf = (surface: string) => `${folder}${surface}.ts`;
const program = ts.createProgram(Object.keys(types).map(fileOf), {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  types: [],
});
const checker = program.getTypeChecker();

/** The shape of a surface's capture, from its type. */
export function captureShape(surface: TargetSurface): Shape {
  const declared = program
    .getSourceFile(fileOf(surface))!
    .statements.filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === types[surface])!;
  return shapeOf(checker.getTypeAtLocation(declared));
}

function shapeOf(type: ts.Type): Shape {
  const parts = (type.isUnion() ? type.types : [type]).filter(
    part => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0,
  );
  if (parts.some(part => part.flags & ts.TypeFlags.String)) return { is: 'text' };
  const objects = parts.filter(part => part.flags & ts.TypeFlags.Object);
  const [first] = objects;
  if (first === undefined) return { is: 'other', example: exampleOf(parts) };
  if (checker.isTupleType(first)) {
    const entries = checker.getTypeArguments(first as ts.TypeReference);
    return { is: 'object', fields: new Map(entries.map((entry, at) => [`${at}`, shapeOf(entry)])) };
  }
  if (checker.isArrayType(first))
    return { is: 'list', of: shapeOf(checker.getTypeArguments(first as ts.TypeReference)[0]!) };
  const values = checker.getIndexInfoOfType(first, ts.IndexKind.String);
  if (values !== undefined) return { is: 'record', of: shapeOf(values.type) };
  // Assessed and unassessed parts have one shape, in which the other's fields are absent.
  const fields = objects.flatMap(part =>
    part.getProperties().map(field => [field.name, shapeOf(checker.getTypeOfSymbol(field))] as const),
  );
  const known = new Map<string, Shape>();
  for (const [name, shape] of fields)
    if ((known.get(name)?.is ?? 'other') === 'other') known.set(name, shape);
  return { is: 'object', fields: known };
}

function exampleOf(parts: readonly ts.Type[]): unknown {
  const literal = parts.find(part => part.isStringLiteral());
  if (literal !== undefined) return literal.value;
  if (parts.some(part => part.flags & ts.TypeFlags.BooleanLike)) return false;
  return parts.some(part => part.flags & ts.TypeFlags.NumberLike) ? 0 : null;
}
