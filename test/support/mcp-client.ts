import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export const mcpProgram = fileURLToPath(new URL('../../dist/main/parapet.js', import.meta.url));

/** The built `parapet mcp`, as an assistant starts it, with the client of the official SDK. */
export class Assistant {
  readonly client = new Client({ name: 'test', version: '1' });
  /** What the program logged. */
  log = '';
  readonly #transport: StdioClientTransport;

  private constructor(env: Record<string, string>) {
    this.#transport = new StdioClientTransport({
      command: process.execPath,
      args: [mcpProgram, 'mcp'],
      env: { PATH: process.env.PATH!, ...env },
      stderr: 'pipe',
    });
    this.#transport.stderr!.on('data', chunk => {
      this.log += chunk;
    });
  }

  static async start(env: Record<string, string>): Promise<Assistant> {
    const assistant = new Assistant(env);
    await assistant.client.connect(assistant.#transport);
    return assistant;
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** The client validates the result against the output schema of the tool, if it has listed the tools. */
  async call(name: string, parameters: Record<string, unknown> = {}) {
    const result = (await this.client.callTool({ name, arguments: parameters }, undefined, {
      timeout: 110_000,
    })) as CallToolResult;
    const [first] = result.content;
    const text = first?.type === 'text' ? first.text : '';
    // biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape
    return { isError: result.isError === true, text, data: result.structuredContent as any };
  }

  /** The id of the process, to see that it ended. */
  get pid(): number | null {
    return this.#transport.pid;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
