import type { FactorCode } from '../../src/contract/dashboard/session.ts';
import { ApiError } from './api-error.ts';

/** Six digits are a code of an authenticator app; anything else is a backup code. */
export function factorCode(typed: string): FactorCode {
  const code = typed.replace(/\s/g, '');
  return { type: /^\d{6}$/.test(code) ? 'totp' : 'backup_code', code };
}

/** Whether the attempt would succeed without a wait if it had a second factor. */
export function asksForSecondFactor(error: Error | null): boolean {
  return error instanceof ApiError && error.body.with_second_factor === true;
}
