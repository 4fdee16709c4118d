import type { CallToolResult, Tool as Definition } from '@modelcontextprotocol/sdk/types.js';
import { Type } from 'typebox';
import type { Scope } from '../../contract/keys.ts';
import { shortened, visibleText } from '../../domain/visible-text.ts';
import { ClientError } from '../client-error.ts';
import { RefusedError } from '../request-json.ts';
import { assertValid, inputSchema, outputSchema } from './schemas.ts';
import type { Tool, ToolContext } from './tool.ts';
import { cleaned, notice, untrustedBlock } from './untrusted.ts';

/** The fields that every result has. */
const envelope = {
  notice: Type.String(),
  shortened_texts: Type.Integer({ description: 'Texts that were too long and end with an ellipsis.' }),
};

export function definitionOf({ name, title, description, annotations, input, output }: Tool): Definition {
  return {
    name,
    title,
    description: `${description} ${notice}`,
    inputSchema: inputSchema(input),
    outputSchema: outputSchema({ ...envelope, ...output }),
    annotations: { title, ...annotations },
  };
}

/** @param missing scopes of the tool that the key is known not to have */
export async function callTool(
  tool: Tool,
  parameters: Record<string, unknown>,
  context: ToolContext,
  missing: readonly Scope[],
): Promise<CallToolResult> {
  if (missing.length > 0) return failed(lacks(tool, missing));
  try {
    assertValid(tool.input, parameters);
    const { data, summary, lines } = await tool.run(parameters, context);
    const structured = cleaned(data, tool.longestText);
    // With the ids and states around a text.
    const shown = cleaned(lines, tool.longestText + 500);
    const cut = structured.shortened > 0 ? `Shortened texts: ${structured.shortened}.` : '';
    const block = lines.length > 0 ? [notice, untrustedBlock(shown.value)] : [];
    const text = [summary, ...(cut ? [cut] : []), ...block].join('\n');
    return {
      structuredContent: { notice, shortened_texts: structured.shortened, ...structured.value },
      content: [{ type: 'text', text }],
    };
  } catch (error) {
    context.signal.throwIfAborted();
    return failed(explain(error, tool));
  }
}

function explain(error: unknown, tool: Tool): string {
  if (error instanceof RefusedError && error.status === 403) return lacks(tool, tool.scopes);
  if (error instanceof ClientError) return error.message;
  return 'The service answered in an unexpected form. Check that PARAPET_URL is a Parapet service of this version.';
}

function lacks({ name }: Tool, scopes: readonly Scope[]): string {
  const list = scopes.join(' and ');
  return `The key does not have what ${name} needs: the scope ${list}. Scopes never change. Create a key with this scope, and configure it here.`;
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: shortened(visibleText(text), 4_000) }] };
}
