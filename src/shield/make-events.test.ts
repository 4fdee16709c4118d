import type { TSchema } from 'typebox';
import { expect, it } from 'vitest';
import { type ShieldEvent, shieldEvents } from '../contract/shield-events.ts';
import { NullableTimestamp, Timestamp } from '../contract/values.ts';
import { correctTimes } from './make-events.ts';

const before = '2026-11-26T12:00:00.000Z';
const after = '2026-11-26T10:00:00.000Z';

interface Schema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** A value of a schema whose times are one, and all other texts another: both could be read as times. */
function sampleOf(schema: TSchema, time: string): unknown {
  const { properties, items, anyOf } = schema as Schema;
  if (schema === Timestamp || JSON.stringify(schema) === JSON.stringify(NullableTimestamp)) return time;
  if (anyOf) return sampleOf(anyOf[0]!, time);
  if (items) return [sampleOf(items, time)];
  if (!properties) return before;
  return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, sampleOf(of, time)]));
}

it.each(Object.entries(shieldEvents))('corrects every time in %s, and nothing else', (_, schema) => {
  const sample = sampleOf(schema, before) as ShieldEvent;
  expect(JSON.stringify(sample)).toContain(before);
  expect(correctTimes([sample], { offset: -7_200_000 })).toEqual([sampleOf(schema, after)]);
  expect(sampleOf(schema, after)).toMatchObject({ occurred_at: after, id: before });
});
