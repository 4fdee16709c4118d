import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { encodingsOf } from '../../test/support/encodings.ts';
import { DetectionBuilder, quoted } from '../detectors/detection.ts';
import type { Detector } from '../detectors/detector.ts';
import { pageWith } from '../detectors/website/hardened-capture.ts';
import { headersDetector } from '../detectors/website/headers/detector.ts';
import { payloadProblem } from '../domain/event-payload.ts';
import { boundDetections, boundedLocator } from './bound-results.ts';
import { maskTexts } from './mask-texts.ts';
import { reportOf } from './probe-report.ts';

const key = 'k';
const random = (length: number, characters: string) =>
  [...randomBytes(length)].map(byte => characters[byte % characters.length]).join('');
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const capitals = 'ABCDEFGHJKMNPQRSTUVWXYZ234567';

it.each<readonly [string, (secret: string) => string, string]>([
  [
    'a URL of a database',
    (secret: string) => `conn postgres://svc:${secret}@10.0.0.5/db`,
    random(16, letters),
  ],
  ['a URL that was cut off', (secret: string) => `postgres://svc:${secret}`, random(16, letters)],
  [
    'a URL with special characters',
    (secret: string) => `amqp://svc:${secret}@mq`,
    `p/@${random(9, letters)}:`,
  ],
  ['an example password', (secret: string) => `mysql://root:${secret}@localhost/db`, 'hunter2secret'],
  ['a Stripe key', (secret: string) => `policy sk_live_${secret} on public.t`, random(24, letters)],
  ['a short Stripe key', (secret: string) => `policy sk_live_${secret} on public.t`, random(8, letters)],
  ['a Stripe key in a word', (secret: string) => `old_sk_live_${secret}_copy`, random(24, letters)],
  ['an AWS key', (secret: string) => `table public.AKIA${secret}`, random(16, capitals)],
  ['an AWS key in lowercase', (secret: string) => `akia${secret}`, random(16, capitals.toLowerCase())],
  ['a secret AWS key', (secret: string) => `AKIA${random(16, capitals)} ${secret}`, random(40, letters)],
  ['a setting', (secret: string) => `host=db password=${secret} port=5432`, random(9, letters)],
  [
    'a URL with a long password',
    (secret: string) => `postgres://svc:hunter@2${'x'.repeat(300)}${secret}@db`,
    random(20, letters),
  ],
  [
    'a long URL that was cut off',
    (secret: string) => `postgres://svc:${'x'.repeat(300)}${secret}`,
    random(20, letters),
  ],
  ['a URL with a false mask', (secret: string) => `amqp://svc:[masked:00000000]@${secret}@mq`, 'hunter2long'],
  [
    'a long setting',
    (secret: string) => `password=${'x'.repeat(300)}${secret} port=5432`,
    random(20, letters),
  ],
  ['a setting with a false mask', (secret: string) => `password=[masked:00000000]${secret}`, 'hunter2long'],
  ...(
    [
      [(secret: string) => `password="correct ${secret} battery"`, 'horse'],
      [(secret: string) => `password='it''s \\'${secret}'`, 'hunter2long'],
      [(secret: string) => `password="cut off ${secret}`, 'hunter2long'],
      [(secret: string) => `password=a;${secret}`, 'verysecret'],
      [(secret: string) => `password=a&b,c"${secret}`, 'verysecret'],
      [(secret: string) => `password =  ${secret}`, 'hunter2long'],
      [(secret: string) => `password => ${secret}`, 'hunter2long'],
      [(secret: string) => `password%3D${secret}`, 'hunter2long'],
      [(secret: string) => `ALTER ROLE app PASSWORD '${secret}'`, 'hunter2long'],
      [(secret: string) => `identified by '${secret}'`, 'hunter2long'],
      [(secret: string) => `{"token":"${secret}"}`, 'abcdef123456secret'],
      [(secret: string) => `{\\"token\\":\\"${secret}\\"}`, 'abcdef123456secret'],
      [(secret: string) => `client_secret: ${secret}`, 'abcdef123456'],
      [(secret: string) => `secret_key=${secret}`, 'abcdef123'],
      [(secret: string) => `passphrase=${secret}`, 'hunter2long'],
      [(secret: string) => `aws_secret_access_key = ${secret}`, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCY'],
    ] as const
  ).map(([write, secret]) => [`the setting ${write('…')}`, write, secret] as const),
  ['a GitHub token', (secret: string) => `role ghp_${secret}`, random(36, letters)],
  [
    'a web token',
    (secret: string) => `jwt ${secret}`,
    `eyJ${random(20, letters)}.eyJ${random(20, letters)}.${random(30, letters)}`,
  ],
  [
    'the last line of a private key',
    (secret: string) =>
      `-----BEGIN PRIVATE KEY-----\n${random(64, letters)}\n${random(64, letters)}\n${secret}\n-----END PRIVATE KEY-----`,
    random(50, letters),
  ],
  ['a private key', (secret: string) => `-----BEGIN PRIVATE KEY-----\n${secret}`, random(90, letters)],
])('masks %s', (_, write, secret) => {
  const text = write(secret);
  const masked = maskTexts({ list: [{ text }] }, key).list[0]!.text;
  expect(encodingsOf(secret).filter(encoded => masked.toLowerCase().includes(encoded))).toEqual([]);
  expect(masked).toMatch(/\[masked:[0-9a-f]{8}\]/);
  expect(maskTexts(masked, key), 'again').toBe(masked);
  expect(maskTexts(text, key), 'the same name').toBe(masked);
  expect(maskTexts(text, 'other'), 'under another key').not.toBe(masked);
});

it('keeps names distinct, and what is not secret', () => {
  const of = (password: string) => maskTexts(`conn postgres://svc:${password}@10.0.0.5/db`, key);
  expect(of('one-password')).not.toBe(of('two-password'));
  expect(of('one-password')).toMatch(/^conn postgres:\/\/svc:\[masked:[0-9a-f]{8}\]@10\.0\.0\.5\/db$/);
});

it.each([
  'http://127.0.0.1:8080/admin',
  'https://[::1]:8443/',
  'https://shop.example.com/a:b',
  'public.set_password(integer, text)',
  'The password of the role "app" is stored as MD5.',
  'host all all 10.0.0.0 255.0.0.0 scram-sha-256',
  'password_encryption = md5',
])('leaves %s', text => {
  expect(maskTexts(text, key)).toBe(text);
});

it('cuts no character in half', () => {
  for (const length of [195, 300]) {
    const text = `postgres://app:pw@db ${'😀'.repeat(length)}`;
    for (const padded of [text, `${text}.`, `.${text}`]) {
      const masked = maskTexts({ padded }, key);
      expect(masked.padded.length).toBeLessThanOrEqual(Math.max(padded.length, 400));
      expect(payloadProblem(masked)).toBeUndefined();
    }
  }
});

it('takes linear time and adds little', () => {
  const settings = [
    'password',
    'password ',
    'password="',
    "password '",
    "password=\\'",
    'token\\',
    'a://b:@',
  ];
  for (const part of [
    ...settings,
    '://',
    '://a:b',
    'password=',
    'AKIA',
    'sk_live_',
    'eyJ',
    '-----BEGIN ',
    ':',
    'p@',
  ]) {
    const text = part.repeat(20_000 / part.length);
    const started = performance.now();
    expect(maskTexts(text, key).length, part).toBeLessThanOrEqual(text.length);
    expect(performance.now() - started, part).toBeLessThan(300);
  }
});

const token = `ghp_${random(36, letters)}`;
const parts = [token.slice(0, 12), token.slice(0, 12).toLowerCase()];
const partsIn = (text: string) => parts.filter(part => text.includes(part));

it.each([0, 67, 70, 90, 110])('masks a secret before a header is shortened or changed: %d', pad => {
  const value = `${'a'.repeat(pad)} ${token}`;
  const headers = [
    'server',
    'x-powered-by',
    'x-frame-options',
    'referrer-policy',
    'content-type',
    'cache-control',
  ];
  const capture = pageWith({
    body: '<p>Hello</p>',
    headers: [
      ['set-cookie', 'session=0a1b2c3d4e'],
      ...headers.map(name => [name, `nginx/1.18.0 ${value}`] as const),
    ],
  });
  const [detection] = boundDetections([headersDetector.detect(capture)]);
  expect(detection!.observations.length).toBeGreaterThan(3);
  const result = { detector: headersDetector.name, detection: detection!, subject: null };
  expect(
    partsIn(JSON.stringify(maskTexts(reportOf(headersDetector as Detector<unknown>, result), key))),
  ).toEqual([]);
});

it('masks a secret before any text is shortened', () => {
  const check = { id: 'a.b' } as Parameters<DetectionBuilder['observe']>[0];
  const found = new DetectionBuilder();
  found.observe(check, 'a', `${'a'.repeat(460)} ${token}`);
  found.cannotAssess([check], `${'a'.repeat(260)} ${token}`);
  const { observations, notAssessed } = found.result();
  expect(partsIn(observations[0]!.seen + notAssessed[0]!.reason)).toEqual([]);
  expect(partsIn(boundedLocator(`${'a '.repeat(975)} ${token} ${'b'.repeat(100)}`))).toEqual([]);
  const long = {
    observations: [{ check: 'a.b', locator: 'a', seen: `${'a'.repeat(470)} ${token}` }],
    notAssessed: [],
  };
  expect(partsIn(boundDetections([long])[0]!.observations[0]!.seen)).toEqual([]);
  expect(quoted(`${'a'.repeat(100)} ${token}`, 120)).toBe(`"${'a'.repeat(100)} ghp_[masked]"`);
  expect(quoted('password=p\u00e4ssw\u00f6rd')).toBe('"password=[masked]"');
});
