import { Ajv, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyServerOptions } from 'fastify';

/** The formats that schemas may name; each reads its text once. A schema that names another does not compile. */
const formats = ['date', 'date-time', 'uuid'] as const;

/** Longer than any value of these formats: a date-time with nine digits for the second has 35 characters. */
const maxFormatted = 64;

/**
 * Keeps validation linear. With `allErrors` Ajv evaluates every keyword, so that a pattern also runs on a text whose
 * `maxLength` has already failed: here patterns and formats leave such a text to `maxLength`.
 */
function boundPatterns(ajv: Ajv): void {
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    compile(pattern: string, { maxLength }) {
      if (typeof maxLength !== 'number') throw new TypeError(`A pattern without maxLength: ${pattern}`);
      const form = new RegExp(pattern, 'u');
      // maxLength counts code points, each of which is one or two UTF-16 code units.
      return (text: string) => text.length > 2 * maxLength || form.test(text);
    },
  });
  // Fastify adds every format that ajv-formats has, of which some are slow.
  for (const name of Object.keys(ajv.formats))
    if (!formats.some(kept => kept === name)) delete ajv.formats[name];
  for (const name of formats) {
    const format = ajv.formats[name] as RegExp | { validate(text: string): boolean };
    const fits = (text: string) => (format instanceof RegExp ? format.test(text) : format.validate(text));
    ajv.addFormat(name, text => text.length <= maxFormatted && fits(text));
  }
}

/** An Ajv that validates as the servers do: linear, and without changing anything. */
export function linearAjv(options: Options = {}): Ajv {
  const ajv = new Ajv(options);
  addFormats.default(ajv, [...formats]);
  boundPatterns(ajv);
  return ajv;
}

/** How the servers validate: every problem is reported, nothing is changed. */
export const validation = {
  ajv: {
    customOptions: {
      removeAdditional: false,
      coerceTypes: false,
      useDefaults: false,
      allErrors: true,
      // Optimizing the generated code takes a third of the time to compile all schemas at start, and V8 does it anyway.
      code: { optimize: false },
    },
    onCreate: boundPatterns,
  },
  // Fastify's own joins the messages of all problems, however many there are, for nobody to read.
  schemaErrorFormatter: () => new Error('The request does not fit its schema.'),
} satisfies Pick<FastifyServerOptions, 'ajv' | 'schemaErrorFormatter'>;
