import { expect } from 'vitest';
import { encodingsOf } from './encodings.ts';

/** Expects none of the secrets in any of the places, in plain, base64, hex, or as URLs, JSON and HTML have it. */
export function expectAbsent(secrets: readonly string[], places: Readonly<Record<string, string>>): void {
  for (const [place, text] of Object.entries(places)) {
    const searched = text.toLowerCase();
    for (const secret of secrets) {
      for (const encoded of encodingsOf(secret)) {
        expect(searched.includes(encoded), `${secret} as ${encoded} was ${place}`).toBe(false);
      }
    }
  }
}
