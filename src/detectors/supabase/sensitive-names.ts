/** Words in names of tables and columns that suggest data about people, their health, money or accounts. */
const words = new Set([
  ...['patient', 'patients', 'diagnosis', 'diagnoses', 'medical', 'medication', 'medications'],
  ...['prescription', 'prescriptions', 'allergy', 'allergies', 'symptom', 'symptoms'],
  ...['ssn', 'passport', 'dob', 'birthdate', 'birthday', 'iban', 'cvv', 'salary', 'payroll'],
  ...['password', 'passwords', 'passwd', 'secret', 'secrets', 'credential', 'credentials'],
  ...['customers', 'employees', 'invoices', 'insurance'],
]);
/** The same for combinations of words. */
const phrases = [
  ...['birth_date', 'date_of_birth', 'social_security', 'tax_id', 'national_id', 'credit_card'],
  ...['card_number', 'bank_account', 'api_key', 'access_token', 'refresh_token', 'reset_token'],
  ...['private_key', 'health_record', 'home_address', 'street_address', 'medical_record', 'lab_result'],
];

/** Contact data, of persons only in tables about persons: elsewhere it may belong to a clinic or a shop. */
const contacts = new Set(['email', 'emails', 'phone', 'phones', 'mobile', 'telephone']);
const persons = new Set([
  ...['user', 'users', 'profile', 'profiles', 'account', 'accounts', 'member', 'members', 'people', 'person'],
  ...['customer', 'client', 'clients', 'contact', 'contacts', 'lead', 'leads', 'subscriber', 'subscribers'],
  ...['employee', 'student', 'students', 'guest', 'guests', 'applicants', 'participants', 'attendees'],
  ...['order', 'orders', 'booking', 'bookings', 'appointment', 'appointments', 'message', 'messages'],
  ...['signup', 'signups', 'submission', 'submissions', 'waitlist', 'newsletter', 'invites', 'visits'],
]);

/** Content that sites publish. */
const shown = new Set([
  ...['news', 'posts', 'articles', 'pages', 'faq', 'faqs', 'blog', 'categories', 'tags', 'events', 'menus'],
  ...['countries', 'regions', 'states', 'cities', 'languages', 'currencies', 'translations', 'locales'],
  ...['products', 'services', 'treatments', 'specialties', 'departments', 'locations', 'clinics', 'offices'],
  ...['testimonials', 'reviews', 'banners', 'holidays', 'timezones', 'changelog', 'features', 'plans'],
]);

const snakeCase = (name: string) =>
  name
    .slice(0, 63)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();

const hasWord = (name: string, known: ReadonlySet<string>) =>
  snakeCase(name)
    .split(/[^a-z0-9]/)
    .some(word => known.has(word));

/** Whether a column's name suggests contact data of a person, in a table about persons. */
export function isContactOf(table: string, column: string): boolean {
  return hasWord(column, contacts) && hasWord(table, persons);
}

/** Whether a table has the name of something that sites publish. */
export function isShownName(table: string): boolean {
  return shown.has(snakeCase(table));
}

/** Whether a name, in snake_case or camelCase, suggests personal data. */
export function isSensitiveName(name: string): boolean {
  const snake = snakeCase(name);
  const padded = `_${snake}`;
  return (
    snake.split(/[^a-z0-9]/).some(word => words.has(word)) ||
    phrases.some(phrase => padded.includes(`_${phrase}`))
  );
}
