import { describe, expect, it } from 'vitest';
import { environmentFile } from './environment-file.ts';

describe('the sentence about an environment', () => {
  it('names variables, secrets first', () => {
    const body = 'export APP_NAME=shop\nDB_PASSWORD = hunter2hunter2\napi_token="a\nb"\n';
    expect(environmentFile(body)).toBe(
      'It sets environment variables such as DB_PASSWORD, api_token, APP_NAME (values omitted).',
    );
  });

  it.each([
    [
      'padded lines of base32',
      'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3A==\nMFRGGZDFMZTWQ===\nMFRGGZA=',
    ],
    ['padded lines of base64', 'aGVsbG8gd29ybGQhISEhISEhISEhISEhISEhISEhIQ==\nQUJD_0RFRg='],
    ['a long run', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP=QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'],
    ['an assignment within quotes', 'SECRETPART=TWO"'],
  ])('leaves out %s of a value', (_, value) => {
    const sentence = environmentFile(`API_TOKEN="first\n${value}\n"\n`)!;
    expect(sentence).toBe('It sets environment variables such as API_TOKEN (values omitted).');
    const unquoted = environmentFile(`API_TOKEN=first\n${value}\n`)!;
    if (!value.startsWith('SECRET')) expect(unquoted).toBe(sentence);
  });

  it('names no variable if no name is certain', () => {
    expect(environmentFile('MFRGGZDFMZTWQ===\n')).toBe(
      'It sets environment variables (names and values omitted).',
    );
  });
});
