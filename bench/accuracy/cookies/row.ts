/** A cookie's text; `{hex:32}` and `{text:26}` stand for random characters, another for each response. */
export type Row = readonly [
  name: string,
  cookies: string | readonly string[],
  flaws: string | readonly string[],
];

export const hard = 'Path=/; Secure; HttpOnly; SameSite=Lax';
export const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');
export const token = (header: object, signature: string) =>
  `${[header, { sub: '4711', role: 'user' }].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.${signature}`;
