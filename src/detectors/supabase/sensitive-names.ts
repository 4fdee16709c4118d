/** Words in names of tables and columns that promise data about people, their health, their money or their log-ins. */
const words = new Set([
  ...[
    'patient',
    'patients',
    'diagnosis',
    'diagnoses',
    'medical',
    'medication',
    'medications',
    'prescription',
  ],
  ...['prescriptions', 'allergy', 'allergies', 'symptom', 'symptoms', 'treatment', 'treatments', 'clinical'],
  ...['ssn', 'passport', 'dob', 'birthdate', 'birthday', 'iban', 'cvv', 'salary', 'payroll', 'password'],
  ...['passwords', 'passwd', 'secret', 'secrets', 'credential', 'credentials', 'email', 'emails', 'phone'],
  ...['customers', 'employees', 'invoices', 'insurance'],
]);
/** Words that mean it only together. */
const phrases = [
  ...[
    'birth_date',
    'date_of_birth',
    'social_security',
    'tax_id',
    'national_id',
    'credit_card',
    'card_number',
  ],
  ...[
    'bank_account',
    'api_key',
    'access_token',
    'refresh_token',
    'reset_token',
    'private_key',
    'health_record',
  ],
  ...['home_address', 'street_address', 'medical_record', 'lab_result'],
];

/** Whether a name, in snake_case or camelCase, promises such data. */
export function isSensitiveName(name: string): boolean {
  const snake = name
    .slice(0, 63)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
  const padded = `_${snake}`;
  return (
    snake.split(/[^a-z0-9]/).some(word => words.has(word)) ||
    phrases.some(phrase => padded.includes(`_${phrase}`))
  );
}
