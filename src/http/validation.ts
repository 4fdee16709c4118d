import { Ajv, type FuncKeywordDefinition, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyValidationResult } from 'fastify/types/schema.js';

type Compiled = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;

/** Formats with linear validation. Schemas with other formats do not compile. */
const formats = ['date', 'date-time', 'uuid'] as const;

/**
 * Most times that clients send: these need no parts compared, which takes as long as the rest of an event's validation. Days that not
 * every month has, leap seconds and offsets are left to the format.
 */
const plainTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** Maximum length of a formatted value: a date-time with nanoseconds has 35 characters. */
const maxFormatted = 64;

/**
 * Makes validation linear, and rejects lone surrogates, which PostgreSQL cannot store. With `allErrors`, Ajv evaluates patterns even if
 * `maxLength` has failed: here, patterns and formats skip text that is too long.
 */
function boundPatterns(ajv: Ajv): void {
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    compile(pattern: string, { maxLength, 'x-form': message }) {
      if (typeof maxLength !== 'number') throw new TypeError(`A pattern requires maxLength: ${pattern}`);
      const form = new RegExp(pattern, 'u');
      // maxLength counts code points, which have one or two UTF-16 code units.
      const isFit = (text: string) => text.length > 2 * maxLength || (form.test(text) && text.isWellFormed());
      if (message === undefined) return isFit;
      const fits: Compiled = (text: string) => {
        // A new object each time: Ajv adds the location to it.
        fits.errors = [{ keyword: 'pattern', params: { message } }];
        return isFit(text);
      };
      return fits;
    },
  });
  ajv.addKeyword('x-form');
  for (const name of formats) {
    const format = ajv.formats[name] as RegExp | { validate(text: string): boolean };
    const fits = (text: string) => (format instanceof RegExp ? format.test(text) : format.validate(text));
    const isPlain = (text: string) => name === 'date-time' && plainTime.test(text);
    ajv.addFormat(name, text => text.length <= maxFormatted && (isPlain(text) || fits(text)));
  }
}

/**
 * Creates an Ajv with linear validation, which does not modify its input. A test validates the schemas themselves, which
 * would take time at each start.
 */
export function linearAjv(ajvOptions: Options = {}): Ajv {
  const ajv = new Ajv({ ...ajvOptions, validateSchema: false });
  addFormats.default(ajv, [...formats]);
  boundPatterns(ajv);
  return ajv;
}

/** Maximum values of an input for which all errors are reported. */
const fewValues = 1_000;

const options: Options = {
  addUsedSchema: false,
  discriminator: true,
  // Optimization takes a third of the compile time at start, and V8 optimizes the code anyway.
  code: { optimize: false },
};

/**
 * Validator of the servers. It reports all errors of a small input, but only the first of a large one: an error costs far more than the
 * value that causes it.
 */
export function validatorCompiler(): (route: { readonly schema: object }) => FastifyValidationResult {
  const [first, every] = [linearAjv(options), linearAjv({ ...options, allErrors: true })];
  return ({ schema }) => {
    // Compiled on demand: compiling all schemas takes a quarter of the start time.
    let fits: ValidateFunction | undefined;
    let reportAll: ValidateFunction | undefined;
    const validate = (value: unknown): boolean => {
      fits ??= first.compile(schema);
      if (fits(value)) return true;
      if (hasFewValues(value)) {
        reportAll ??= every.compile(schema);
        reportAll(value);
        validate.errors = reportAll.errors;
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

/** Replaces the default of Fastify, which joins all messages without a limit. */
export const schemaErrorFormatter = () => new Error('The request does not match its schema.');
