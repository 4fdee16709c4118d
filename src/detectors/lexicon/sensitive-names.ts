/** Phrases in column names that suggest health or identity data. In English, like most schemas. */
const phrases = [
  // Identity
  ...['ssn', 'social security', 'social insurance number', 'national id', 'national insurance number'],
  ...['passport', 'tax id', 'taxpayer id', 'driver license', 'drivers license', 'driving licence'],
  ...['license plate', 'date of birth', 'birth date', 'birthdate', 'birthday', 'dob', 'maiden name'],
  ...['biometric', 'fingerprint scan'],
  // Health
  ...['diagnosis', 'diagnoses', 'diagnosis code', 'icd code', 'icd9', 'icd10', 'icd 9', 'icd 10'],
  ...['medication', 'medications', 'prescription', 'prescriptions', 'allergy', 'allergies', 'blood type'],
  ...['blood group', 'blood pressure', 'lab result', 'lab results', 'test result hiv', 'hiv', 'hiv status'],
  ...['medical record', 'medical history', 'health record', 'health condition', 'medical condition', 'mrn'],
  ...['patient id', 'patient name', 'patient number', 'disability', 'mental health', 'pregnant', 'pregnancy'],
  ...['immunization', 'immunizations', 'vaccination', 'vaccinations', 'symptoms', 'genetic'],
  ...['insurance number', 'insurance id', 'insurance member id', 'health plan', 'medicare', 'medicaid'],
  // Secrets
  ...['password', 'password hash', 'hashed password', 'encrypted password', 'passwd', 'credit card'],
  ...['card number', 'cvv', 'bank account', 'iban', 'private key', 'api key', 'api secret', 'client secret'],
].map(phrase => ` ${phrase} `);

/** Last words that change the meaning: when something changed, whether it is required, how long it is. */
const harmlessEnd =
  / (?:changed|updated|reset|expires|expired|required|policy|count|enabled|length|strength|at|on) $/;

/** Whether a column's name, in snake_case or camelCase, suggests health data, identity data or a secret. */
export function isSensitiveName(name: string): boolean {
  const words = ` ${name
    .slice(0, 63)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()} `;
  if (/ (?:is|has|show|requires?|last|num|enable|allow) /.test(words)) return false;
  return !harmlessEnd.test(words) && phrases.some(phrase => words.includes(phrase));
}
