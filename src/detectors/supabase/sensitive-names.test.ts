import { expect, it } from 'vitest';
import { isContactOf, isSensitiveName, isShownName } from './sensitive-names.ts';

it.each(['patients', 'patient_notes', 'dateOfBirth', 'ssn', 'tax_id', 'lab_results', 'apiKey', 'invoices'])(
  'treats %s as personal data',
  name => expect(isSensitiveName(name)).toBe(true),
);

it.each(['clinics', 'treatments', 'clinical_areas', 'email', 'opening_hours', 'headline', 'passportless'])(
  'leaves %s alone',
  name => expect(isSensitiveName(name)).toBe(false),
);

it('distinguishes the address of a person from that of a clinic', () => {
  expect(isContactOf('profiles', 'email')).toBe(true);
  expect(isContactOf('newsletter_signups', 'contactEmail')).toBe(true);
  expect(isContactOf('clinics', 'email')).toBe(false);
  expect(isContactOf('profiles', 'emailed_at')).toBe(false);
});

it('recognizes public content by its whole name', () => {
  expect(isShownName('opening_hours')).toBe(false);
  expect(isShownName('products')).toBe(true);
  expect(isShownName('product_orders')).toBe(false);
});
