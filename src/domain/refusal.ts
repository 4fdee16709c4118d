import type { ErrorCode, FieldError } from '../contract/errors.ts';
import type { RiskStatement } from '../contract/sources.ts';
import type { RefusedBecause } from './refusal-reasons.ts';

interface RefusalDetails {
  readonly fields?: readonly FieldError[];
  readonly risk_statement?: RiskStatement;
  readonly retry_after_seconds?: number;
  /** An alternative to waiting. */
  readonly proof_of_work?: { readonly challenge: string; readonly bits: number };
  /** Whether the proof of work also requires a second factor. */
  readonly with_second_factor?: true;
}

/** A request is refused with an error of the catalogue, which determines the status and text of the answer. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: RefusalDetails;
  /** For the log only: the answer must not contain it. */
  readonly because: RefusedBecause | undefined;

  constructor(
    code: ErrorCode,
    details: RefusalDetails = {},
    { because, ...options }: ErrorOptions & { readonly because?: RefusedBecause } = {},
  ) {
    super(code, options);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
    this.because = because;
  }
}
