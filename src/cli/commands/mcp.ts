import type { Command } from 'commander';
import { Client } from '../client.ts';
import type { McpParts } from '../mcp/tool.ts';
import { readClientSettings } from '../settings.ts';

export function addMcp(program: Command, parts: McpParts): void {
  program
    .command('mcp')
    .description('serve the API to an AI assistant (Model Context Protocol, stdio)')
    .addHelpText(
      'after',
      [
        '',
        'The assistant starts this command: see docs/mcp.md. It offers the tools that the scopes of the key allow.',
        'Environment: see `parapet call --help`.',
        'Standard output carries the protocol, standard error the log. Ends when standard input closes.',
      ].join('\n'),
    )
    .action(async () => {
      const client = new Client(readClientSettings(process.env));
      // Loaded on demand: other commands start faster without the SDK.
      const { serveMcp } = await import('../mcp/serve.ts');
      await serveMcp(client, parts);
    });
}
