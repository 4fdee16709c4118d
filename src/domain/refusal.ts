import type { ErrorCode, FieldError } from '../contract/errors.ts';
import type { RiskStatement } from '../contract/sources.ts';

interface RefusalDetails {
  readonly fields?: readonly FieldError[];
  readonly risk_statement?: RiskStatement;
  readonly retry_after_seconds?: number;
  /** What takes the place of the wait. */
  readonly proof_of_work?: { readonly challenge: string; readonly bits: number };
  /** Whether that takes a second factor too, beside the password. */
  readonly with_second_factor?: true;
}

/** What was asked for is refused, for a reason of the catalogue. The API answers with its status and text. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, details: RefusalDetails = {}, options: ErrorOptions = {}) {
    super(code, options);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
  }
}
