import type { Caller } from './caller.ts';
import type { Ask } from './requests.ts';

/** This many requests, as fast as the connections allow. */
export interface Round {
  readonly port: number;
  readonly connections: number;
  readonly requests: number;
  /** The group of callers, used in rotation. */
  readonly group: string;
  readonly ask: Ask;
}

export interface Outcome {
  readonly seconds: number;
  readonly clientCpuSeconds: number;
  /** Milliseconds, per request. */
  readonly latencies: readonly number[];
}

/** A command to the load process. */
export type Command =
  | { readonly kind: 'callers'; readonly group: string; readonly callers: readonly Caller[] }
  | { readonly kind: 'prepare'; readonly round: Round }
  | { readonly kind: 'run' };
