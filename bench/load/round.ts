import type { Caller } from './caller.ts';
import type { Ask } from './requests.ts';

/** So many requests, as fast as the connections can. */
export interface Round {
  readonly port: number;
  readonly connections: number;
  readonly requests: number;
  /** Which callers make them, by turns. */
  readonly group: string;
  readonly ask: Ask;
}

export interface Outcome {
  readonly seconds: number;
  readonly clientCpuSeconds: number;
  /** Milliseconds, of each request. */
  readonly latencies: readonly number[];
}

/** What the load's process is told. */
export type Command =
  | { readonly kind: 'callers'; readonly group: string; readonly callers: readonly Caller[] }
  | { readonly kind: 'prepare'; readonly round: Round }
  | { readonly kind: 'run' };
