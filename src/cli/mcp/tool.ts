import type { Static, TObject, TProperties } from 'typebox';
import type { Scope } from '../../contract/keys.ts';
import type { Client } from '../client.ts';
import type { DescribeCause } from '../scan-outcome.ts';

/** Provided by the program: the client does not depend on the detectors. */
export interface McpParts {
  readonly describe: (
    category: string,
  ) => Promise<{ readonly why: string; readonly references: readonly string[] } | undefined>;
  readonly describeCause: DescribeCause;
  readonly version: string;
}

export interface ToolContext {
  readonly client: Client;
  readonly parts: McpParts;
  /** Aborts when the assistant cancels the call, or disconnects. */
  readonly signal: AbortSignal;
  /** Reports the progress of a long call to the assistant. */
  readonly report: (message: string) => void;
}

interface ToolResult {
  /** In the form of the tool's `output`. */
  readonly data: object;
  /** One or two sentences without text of others. */
  readonly summary: string;
  /** May contain text that a scanned target or another person controls. */
  readonly lines: readonly string[];
}

export interface Tool<Input extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** All are required. */
  readonly scopes: readonly Scope[];
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    /** Whether the call makes the service connect to targets. */
    readonly openWorldHint: boolean;
  };
  readonly input: Input;
  readonly output: TProperties;
  /** Maximum length of a text in the result. */
  readonly longestText: number;
  run(parameters: Static<Input>, context: ToolContext): Promise<ToolResult>;
}

export const reads = {
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scopes: ['findings:read'],
} as const;

/** Infers the type of the parameters. */
export function tool<Input extends TObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}
