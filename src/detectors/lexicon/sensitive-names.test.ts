import { expect, it } from 'vitest';
import { isSensitiveName } from './sensitive-names.ts';

it.each([
  ...[
    'ssn',
    'SSN',
    'patient_ssn',
    'socialSecurityNumber',
    'date_of_birth',
    'dateOfBirth',
    'DOB',
    'birthDate',
  ],
  ...['diagnosis', 'primary_diagnosis_code', 'ICD10', 'icd_10', 'bloodType', 'medicalRecordNumber', 'mrn'],
  ...[
    'passport_number',
    'password_hash',
    'hashedPassword',
    'api_key',
    'APIKey',
    'creditCardNumber',
    'hivStatus',
  ],
])('treats %s as sensitive', name => {
  expect(isSensitiveName(name)).toBe(true);
});

it.each([
  ...['id', 'name', 'email', 'created_at', 'title', 'session', 'adobe_id', 'classname', 'mission', 'passing'],
  ...[
    'password_changed_at',
    'password_reset_required',
    'is_disability_friendly',
    'has_allergies',
    'birth_rate',
  ],
  ...['issn', 'dobson', 'medicationist', 'requires_prescription', 'last_password', 'ibanez', '', '___'],
])('does not treat %s as sensitive', name => {
  expect(isSensitiveName(name)).toBe(false);
});

it('takes linear time for hostile names', () => {
  for (const part of ['a', 'A', ' at', '_', 'aA', ' changed updated']) {
    const started = performance.now();
    isSensitiveName(part.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(200);
  }
});
