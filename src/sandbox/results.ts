import { Ajv, type ValidateFunction } from 'ajv';
import { type TSchema, Type } from 'typebox';
import { connectionCauses } from '../contract/causes.ts';
import { severities } from '../contract/severity.ts';
import { choice, closed } from '../contract/values.ts';
import {
  assessedPlacesPerScan,
  coversPerSubject,
  locatorLength,
  placesPerScan,
  sentenceLength,
} from '../scan/report-bounds.ts';
import type { TaskName, Tasks } from './tasks.ts';

const code = choice(connectionCauses);
/**
 * Text that PostgreSQL can store: no U+0000 and no lone surrogate. Under the `u` flag, a surrogate pair is one code point, so the
 * range matches unpaired ones only.
 */
const storable = '^[^\\u0000\\ud800-\\udfff]*$';
const id = Type.String({ maxLength: 128 });
const address = Type.String({ maxLength: 45, pattern: '^[0-9a-f.:]+$' });
const locator = Type.String({ maxLength: locatorLength, pattern: storable });
const sentence = Type.String({ maxLength: sentenceLength, pattern: storable });
const latencyMs = Type.Integer({ minimum: 0, maximum: 600_000 });

const detection = closed({
  observations: Type.Array(
    closed({
      check: id,
      locator,
      seen: sentence,
      severity: Type.Optional(choice(severities)),
    }),
    { maxItems: placesPerScan },
  ),
  notAssessed: Type.Array(
    closed({
      check: id,
      reason: sentence,
      inapplicable: Type.Optional(Type.Literal(true)),
      resolves: Type.Optional(Type.Literal(true)),
    }),
    { maxItems: 1_000 },
  ),
  places: Type.Array(Type.Tuple([id, Type.Array(locator, { maxItems: assessedPlacesPerScan })]), {
    maxItems: 100,
  }),
});

const subject = closed({ at: locator, covers: Type.Array(locator, { maxItems: coversPerSubject }) });

/** What each task may answer. Its process may have been taken over by the target that it read. */
const schemas: { readonly [Name in TaskName]: TSchema } = {
  inspect: Type.Union([
    closed({ unreachable: code }),
    closed({
      results: Type.Array(
        closed({
          detector: id,
          detection: Type.Union([Type.Null(), detection]),
          subject: Type.Union([Type.Null(), subject]),
        }),
        {
          maxItems: 100,
        },
      ),
    }),
  ]),
  test_connection: Type.Union([
    closed({ ok: Type.Literal(true), latencyMs }),
    closed({ ok: Type.Literal(false), errorCode: code, latencyMs }),
  ]),
  prove_domain: Type.Union([
    closed({ by: Type.Literal('dns_txt'), address: Type.Optional(address) }),
    closed({ by: Type.Literal('well_known_file'), address }),
    Type.Null(),
  ]),
};

// The first error is enough: nobody reads more, and what is wrong must not cost more than what is right.
const ajv = new Ajv({ allErrors: false, coerceTypes: false });

/** Compiled when a task answers for the first time: few processes need all of them, and none to start. */
const validators: { [Name in TaskName]?: ValidateFunction } = {};

/** Whether it is what the task may answer. */
export function isResultOf<Name extends TaskName>(
  task: Name,
  value: unknown,
): value is Tasks[Name]['result'] {
  const validate = validators[task] ?? ajv.compile(schemas[task]);
  validators[task] = validate;
  return validate(value);
}
