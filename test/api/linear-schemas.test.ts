import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { allDetectors } from '../../src/detectors/catalogue.ts';
import { validatorCompiler } from '../../src/http/validation.ts';
import { Storage } from '../../src/resources/storage.ts';
import { credentialProblems } from '../../src/scan/credential-problems.ts';
import { superlinear } from '../support/growth.ts';
import { hostileTexts, repeated } from '../support/hostile-texts.ts';

type Schema = {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
};

/**
 * Every schema of a route, and every schema that the servers compile with Ajv. A new route is included automatically.
 */
async function compiledSchemas(): Promise<Map<Schema, ValidateFunction>> {
  const compiled = new Map<Schema, ValidateFunction>();
  const compile = Ajv.prototype.compile;
  const spy = vi.spyOn(Ajv.prototype, 'compile').mockImplementation(function (this: Ajv, schema: AnySchema) {
    const validate = compile.call(this, schema);
    compiled.set(schema as Schema, validate);
    return validate;
  } as typeof compile);
  // Schemas of routes are compiled on the first request.
  vi.doMock('../../src/http/validation.ts', async original => {
    const validation = await original<typeof import('../../src/http/validation.ts')>();
    const compileLater = () => {
      const compiler = validation.validatorCompiler();
      return (route: { readonly schema: object }) => {
        const validate = compiler(route);
        compiled.set(route.schema, validate as ValidateFunction);
        return validate;
      };
    };
    return { ...validation, validatorCompiler: compileLater };
  });
  const { buildServer } = await import('../../src/api/server.ts');
  const { addDashboard } = await import('../../src/dashboard/dashboard.ts');
  // It is never connected, since no request is made.
  const storage = new Storage({
    connection: 'postgres://nobody@127.0.0.1:1/nothing',
    roles: { app: { user: 'a', password: 'a' }, system: { user: 's', password: 's' } },
    keyRing: {} as never,
    works: false,
    onError: () => {},
  } as unknown as ConstructorParameters<typeof Storage>[0]);
  const services = {
    storage,
    testConnection: async () => ({}) as never,
    credentialProblems,
    isBlockedAddress: () => false,
    privilegedConnections: false,
  };
  const detectors = allDetectors();
  const server = { brand: 'service', publicPrefix: '', publicUrl: undefined, version: '0.0.0' };
  const app = await buildServer({
    ...server,
    services,
    logger: pino({ level: 'silent' }),
    trustedProxies: [],
    guides: { detectors, userAgent: 'Parapet' },
    add: api =>
      addDashboard(api, {
        depthOfFinding: () => 'safe' as const,
        domainProof: {} as never,
        sendsMail: true,
        ...services,
        ...server,
        detectors,
      }),
  });
  await app.close();
  spy.mockRestore();
  return compiled;
}

/**
 * Each schema with its validator, and with one from the servers' own compiler, which reports every problem of inputs
 * with few values.
 */
const compileAll = validatorCompiler();
const schemas = [...(await compiledSchemas())].map(([schema, compiled]) => {
  const whole = compileAll({ schema });
  const validate = (value: unknown) => {
    compiled(value);
    whole(value);
  };
  return [schema, validate] as const;
});
const routesOfDashboard = 60;

/** Values in which every string is the text, one for each branch of a union. */
function filled(schema: Schema, text: string): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap(branch => filled(branch, text));
  if (schema.enum ?? schema.const ?? schema.type === 'string') return [text];
  if (schema.type === 'array') return filled(schema.items ?? {}, text).map(item => [item]);
  if (schema.type !== 'object') return [text];
  let values: Record<string, unknown>[] = [{}];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const options = property.const !== undefined ? [property.const] : filled(property, text);
    values = options
      .slice(0, 6)
      .flatMap(option => values.slice(0, 6).map(value => ({ ...value, [name]: option })));
  }
  return values;
}

function stringsOf(schema: Schema): Schema[] {
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])];
  const below = [...parts, ...(schema.items ? [schema.items] : [])].flatMap(stringsOf);
  return schema.pattern !== undefined || schema.format !== undefined ? [schema, ...below] : below;
}

const name = (schema: Schema) => JSON.stringify(schema).slice(0, 160);

it('finds the schemas of both servers and of ingest', () => {
  expect(schemas.length).toBeGreaterThan(routesOfDashboard);
  const texts = schemas.map(([schema]) => JSON.stringify(schema));
  for (const part of ['idempotency_key', 'occurred_at', 'current_password', 'cursor']) {
    expect(
      texts.some(text => text.includes(part)),
      part,
    ).toBe(true);
  }
});

it('has only valid schemas', () => {
  const meta = new Ajv();
  meta.addKeyword('x-form');
  const invalid = schemas.filter(([schema]) => !meta.validateSchema(schema));
  expect(invalid.map(([schema]) => name(schema))).toEqual([]);
});

const forms = new Map(
  schemas.flatMap(([schema]) => stringsOf(schema)).map(form => [JSON.stringify(form), form]),
);

it('limits the length of every text with a pattern or a format', () => {
  expect([...forms.values()].filter(({ maxLength }) => maxLength === undefined)).toEqual([]);
});

/** Patterns must be linear even without the limit. */
it('has only patterns with linear time', { timeout: 120_000 }, () => {
  const patterns = [...new Set([...forms.values()].flatMap(({ pattern }) => pattern ?? []))];
  expect(patterns.length).toBeGreaterThan(10);
  const literals = patterns.flatMap(pattern => pattern.match(/[a-z_]{2,}|[.,@-]/g) ?? []);
  const texts = hostileTexts(200, [...new Set(literals)]);
  const slow = patterns.flatMap(pattern => {
    const form = new RegExp(pattern, 'u');
    for (const text of texts) {
      const problem = superlinear(
        share => {
          const input = text.of(64 * 1024 * share);
          return () => void form.test(input);
        },
        { within: 50, noise: 10 },
      );
      if (problem) return [`${pattern} on ${text.name}: ${problem}`];
    }
    return [];
  });
  expect(slow).toEqual([]);
});

it('validates a body that is one hostile text within milliseconds', { timeout: 120_000 }, () => {
  const texts = hostileTexts(0).filter((_, index) => index % 12 === 0);
  const length = limits.bodyBytes;
  const slow: string[] = [];
  for (const [schema, validate] of schemas) {
    for (const text of texts) {
      const problem = superlinear(
        share => {
          // The strings share the length of the body.
          const values = filled(schema, text.of((length * share) / 4)).slice(0, 4);
          return () => values.forEach(value => void validate(value));
        },
        { within: 200, noise: 40 },
      );
      if (problem) slow.push(`${name(schema)} on ${text.name}: ${problem}`);
    }
  }
  expect(slow).toEqual([]);
});

it('validates hostile structures in linear time', { timeout: 120_000 }, () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
  const structures: [string, (size: number) => unknown][] = [
    ['unknown fields', size => Object.fromEntries(many(size / 10).map(field => [field, 0]))],
    ['a long name', size => ({ [repeated('a', size)]: 0 })],
    ['a list of texts', size => many(size / 8)],
    ['a list of lists', size => many(size / 8).map(() => [])],
    ['a list of objects', size => many(size / 8).map(field => ({ [field]: field }))],
    ['equal objects', size => many(size / 8).map(() => ({ a: 1 }))],
  ];
  const slow: string[] = [];
  for (const [what, of] of structures) {
    // Validators do not change them, and building takes longer than most validation.
    const built = new Map<number, unknown>();
    const builtOf = (share: number) => {
      const value = built.get(share) ?? of(limits.bodyBytes * share);
      built.set(share, value);
      return value;
    };
    for (const [schema, validate] of schemas) {
      const lists = Object.entries(schema.properties ?? {}).filter(([, { type }]) => type === 'array');
      const problem = superlinear(
        share => {
          const value = builtOf(share);
          const values = [value, ...lists.map(([field]) => ({ [field]: value }))];
          return () => values.forEach(each => void validate(each));
        },
        { within: 1_000, noise: 60 },
      );
      if (problem) slow.push(`${name(schema)} on ${what}: ${problem}`);
    }
  }
  expect(slow).toEqual([]);
});
