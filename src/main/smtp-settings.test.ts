import { expect, it } from 'vitest';
import { readSmtpSettings } from './smtp-settings.ts';

const read = (
  url: string | undefined,
  from: string | undefined = 'Parapet <parapet@example.com>',
  publicUrl: string | undefined = 'https://parapet.example.com',
) =>
  readSmtpSettings(
    { ...(url ? { PARAPET_SMTP_URL: url } : {}), ...(from ? { PARAPET_MAIL_FROM: from } : {}) },
    publicUrl,
  );

it.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'required' }],
  ['smtp://mail.example.com:2525?starttls=off', { port: 2525, tls: 'none' }],
  ['smtps://mail.example.com', { port: 465, tls: 'implicit' }],
  ['smtp://localhost:1025', { host: 'localhost', port: 1025, tls: 'none' }],
  ['smtp://[::1]:1025', { host: '::1', tls: 'none' }],
  ['smtp://user%40x:p%40ss%2F@mail.example.com', { user: 'user@x', password: 'p@ss/' }],
])('reads %s', (url, expected) => {
  expect(read(url)).toMatchObject({ from: 'Parapet <parapet@example.com>', ...expected });
});

it.each([
  ['https://mail.example.com', undefined],
  ['mail.example.com:587', undefined],
  ['smtp://', undefined],
  ['smtp://mail.example.com/path', undefined],
  ['smtp://mail.example.com?tls=off', undefined],
  ['smtp://user:%ZZsecret@mail.example.com', undefined],
  ['smtp://user:secret@mail.example.com', 'not an address'],
  ['smtp://user:secret@mail.example.com', 'a@example.com\r\nBcc: b@example.com'],
])('refuses %s from %j, without repeating it', (url, from) => {
  const attempt = () => read(url, from ?? 'parapet@example.com');
  expect(attempt).toThrow(/PARAPET_(?:SMTP_URL|MAIL_FROM)/);
  expect(attempt).not.toThrow(/secret/);
});

it('needs the sender and the public URL, and nothing without a server', () => {
  expect(() => readSmtpSettings({ PARAPET_SMTP_URL: 'smtp://localhost' }, 'https://p.example')).toThrow(
    'requires PARAPET_MAIL_FROM',
  );
  expect(() =>
    readSmtpSettings({ PARAPET_SMTP_URL: 'smtp://localhost', PARAPET_MAIL_FROM: 'a@example.com' }, undefined),
  ).toThrow('requires PARAPET_PUBLIC_URL');
  expect(() => readSmtpSettings({ PARAPET_MAIL_FROM: 'a@example.com' }, undefined)).toThrow(
    'requires PARAPET_SMTP_URL',
  );
  expect(readSmtpSettings({}, undefined)).toBeUndefined();
});
