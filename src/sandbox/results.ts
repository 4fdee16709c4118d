import { Ajv, type ValidateFunction } from 'ajv';
import { type TSchema, Type } from 'typebox';
import { connectionCauses } from '../contract/causes.ts';
import { driftAreas, probeBounds } from '../contract/probe-events.ts';
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
 * Text that PostgreSQL can store: no U+0000 and no lone surrogate. With the `u` flag, a surrogate pair is one code
 * point, so the range matches only unpaired ones.
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
  fully: Type.Optional(Type.Array(id, { maxItems: 100 })),
});

const fact = Type.Tuple([
  Type.String({ maxLength: probeBounds.driftName, pattern: storable }),
  Type.String({ maxLength: 16 }),
]);
const facts = Type.Array(Type.Tuple([choice(driftAreas), Type.Array(fact, { maxItems: 3_000 })]), {
  maxItems: driftAreas.length,
});

const subject = closed({ at: locator, covers: Type.Array(locator, { maxItems: coversPerSubject }) });

/** The allowed results of each task. A target may have compromised the process. */
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
      facts: Type.Optional(facts),
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
  post_message: Type.Union([
    closed({ errorCode: code }),
    closed({
      status: Type.Integer({ minimum: 100, maximum: 999 }),
      retryAfterSeconds: Type.Union([Type.Null(), Type.Integer({ minimum: 1, maximum: 3_600 })]),
    }),
  ]),
};

// Only the first error is reported, so that an invalid result costs no more than a valid one.
const ajv = new Ajv({ allErrors: false, coerceTypes: false });

/** Compiled when first needed: most processes need only some of them, and none at start. */
const validators: { [Name in TaskName]?: ValidateFunction } = {};

/** Whether the value is a valid result of the task. */
export function isResultOf<Name extends TaskName>(
  task: Name,
  value: unknown,
): value is Tasks[Name]['result'] {
  const validate = validators[task] ?? ajv.compile(schemas[task]);
  validators[task] = validate;
  return validate(value);
}
