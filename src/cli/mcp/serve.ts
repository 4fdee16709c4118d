import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Scope } from '../../contract/keys.ts';
import { withinTime } from '../../domain/within-time.ts';
import type { Client } from '../client.ts';
import { forTerminal } from '../terminal.ts';
import { callTool, definitionOf } from './call-tool.ts';
import { readScopes } from './scopes.ts';
import type { McpParts, Tool } from './tool.ts';
import { getFinding } from './tools/get-finding.ts';
import { listTools } from './tools/lists.ts';
import { scanTools } from './tools/scans.ts';
import { verifyFinding } from './tools/verify-finding.ts';
import { notice } from './untrusted.ts';

const tools: readonly Tool[] = [...listTools, getFinding, ...scanTools, verifyFinding];

const instructions = [
  'Parapet scans the websites and databases of an organization. A system has sources, a scan has one run per source and detector, and a check that fails is a finding.',
  'A check that could not be decided is not assessed: it neither passes nor fails.',
  notice,
].join(' ');

/**
 * Serves the tools on standard input and output until either closes.
 *
 * The low-level `Server`, because the contract has JSON Schemas: `McpServer` would need all of them again in Zod.
 */
export async function serveMcp(client: Client, parts: McpParts): Promise<void> {
  const server = new Server(
    { name: 'parapet', title: 'Parapet', version: parts.version },
    { capabilities: { tools: { listChanged: true } }, instructions },
  );
  /** Undefined until the service has answered. */
  let scopes: ReadonlySet<Scope> | undefined;

  server.setRequestHandler(ListToolsRequestSchema, async (_request, { signal }) => {
    scopes ??= await readScopes(client, signal);
    return { tools: tools.filter(({ scopes: needed }) => missing(needed).length === 0).map(definitionOf) };
  });

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, 'There is no tool of this name');
    const begin = Date.now();
    const { progressToken } = extra._meta ?? {};
    const report = (message: string) => {
      if (progressToken === undefined) return;
      // It must increase, and seconds always do: runs of a source end together.
      const progress = (Date.now() - begin) / 1000;
      extra
        .sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, message },
        })
        .catch(() => {});
    };
    const context = { client, parts, signal: extra.signal, report };
    const result = await callTool(tool, params.arguments ?? {}, context, missing(tool.scopes));
    log(`${tool.name}: ${result.isError ? 'failed' : 'done'} in ${Date.now() - begin} ms`);
    if (scopes === undefined && !result.isError) await discoverScopes();
    return result;
  });

  /** The service did not answer when the tools were listed. */
  async function discoverScopes(): Promise<void> {
    scopes = await withinTime(10_000, undefined, limited => readScopes(client, limited));
    if (scopes) await server.sendToolListChanged();
  }

  function missing(needed: readonly Scope[]): Scope[] {
    return scopes === undefined ? [] : needed.filter(scope => !scopes!.has(scope));
  }

  server.onerror = error => log(error.message);
  const closed = new Promise<void>(resolve => {
    server.onclose = resolve;
  });
  const close = () => void server.close();
  process.stdin.once('end', close).once('close', close);
  process.stdout.on('error', close);
  await server.connect(new StdioServerTransport());
  log(`serving ${client.settings.url} with key ${client.settings.tokenId}`);
  await closed;
}

function log(line: string): void {
  process.stderr.write(`parapet mcp: ${forTerminal(line)}\n`);
}
