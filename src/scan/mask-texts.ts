import { createHmac } from 'node:crypto';
import { maskSecrets } from '../detectors/mask-secrets.ts';

/** Texts that need no bound, since they fit wherever a name fits. */
const shortLength = 400;

/**
 * Copies plain data with the secrets in its texts masked as `[masked:1a2b3c4d]`. The same secret gets the same mask, so
 * that names stay the same and distinct.
 *
 * @param key keeps others from comparing masks with guesses of a secret
 */
export function maskTexts<T>(data: T, key: string): T {
  const mask = (secret: string) =>
    `[masked:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 8)}]`;
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const length = Math.max(value.length, shortLength);
      return maskSecrets(value, mask).slice(0, length).toWellFormed();
    }
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copy(part)]));
  };
  return copy(data) as T;
}
