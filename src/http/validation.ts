import { Ajv, type FuncKeywordDefinition, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyValidationResult } from 'fastify/types/schema.js';

type Compiled = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;

/** The formats that schemas may name; each reads its text once. A schema that names another does not compile. */
const formats = ['date', 'date-time', 'uuid'] as const;

/** Longer than any value of these formats: a date-time with nine digits for the second has 35 characters. */
const maxFormatted = 64;

/**
 * Keeps validation linear, and lone surrogates out: PostgreSQL cannot store them. With `allErrors` Ajv evaluates every keyword, so that a pattern also runs on a text whose
 * `maxLength` has already failed: here patterns and formats leave such a text to `maxLength`.
 */
function boundPatterns(ajv: Ajv): void {
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    compile(pattern: string, { maxLength, 'x-form': words }) {
      if (typeof maxLength !== 'number') throw new TypeError(`A pattern without maxLength: ${pattern}`);
      const form = new RegExp(pattern, 'u');
      // maxLength counts code points, each of which is one or two UTF-16 code units.
      const isFit = (text: string) => text.length > 2 * maxLength || (form.test(text) && text.isWellFormed());
      if (words === undefined) return isFit;
      const fits: Compiled = (text: string) => {
        // Ajv writes into the error where it was.
        fits.errors = [{ keyword: 'pattern', params: { words } }];
        return isFit(text);
      };
      return fits;
    },
  });
  ajv.addKeyword('x-form');
  for (const name of formats) {
    const format = ajv.formats[name] as RegExp | { validate(text: string): boolean };
    const fits = (text: string) => (format instanceof RegExp ? format.test(text) : format.validate(text));
    ajv.addFormat(name, text => text.length <= maxFormatted && fits(text));
  }
}

/** An Ajv that takes linear time, and changes nothing. */
export function linearAjv(ajvOptions: Options = {}): Ajv {
  const ajv = new Ajv(ajvOptions);
  addFormats.default(ajv, [...formats]);
  boundPatterns(ajv);
  return ajv;
}

/** Values in one input of which every problem is told. */
const fewValues = 1_000;

const options: Options = {
  addUsedSchema: false,
  discriminator: true,
  // Optimizing the generated code takes a third of the time to compile all schemas at start, and V8 does it anyway.
  code: { optimize: false },
};

/**
 * How the servers validate, without changing anything. Every problem is told of an input of few values; of one with many, the
 * first: each would cost far more than the value that has it.
 */
export function validatorCompiler(): (route: { readonly schema: object }) => FastifyValidationResult {
  const [first, every] = [linearAjv(options), linearAjv({ ...options, allErrors: true })];
  return ({ schema }) => {
    // Compiled when they are needed: all of them take a quarter of a start, and most have nobody who breaks them.
    let fits: ValidateFunction | undefined;
    let tellEvery: ValidateFunction | undefined;
    const validate = (value: unknown): boolean => {
      fits ??= first.compile(schema);
      if (fits(value)) return true;
      if (hasFewValues(value)) {
        tellEvery ??= every.compile(schema);
        tellEvery(value);
        validate.errors = tellEvery.errors;
      } else validate.errors = fits.errors;
      return false;
    };
    validate.errors = undefined as ValidateFunction['errors'];
    return validate as FastifyValidationResult;
  };
}

function hasFewValues(input: unknown): boolean {
  let left = fewValues;
  const open = [input];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    left -= members.length;
    if (left < 0) return false;
    open.push(...members);
  }
  return true;
}

/** Fastify's own joins the messages of all problems, however many there are, for nobody to read. */
export const schemaErrorFormatter = () => new Error('The request does not fit its schema.');
