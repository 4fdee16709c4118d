import { parapet } from './parapet-process.ts';
import type { ClientKey } from './signing-client.ts';

/**
 * Registers a website with the client’s commands and scans it. Each command is a process, so that no connection to the service is left.
 *
 * @returns the number of findings
 */
export async function firstScan(url: string, key: ClientKey, host: string): Promise<number> {
  const client = {
    PATH: process.env.PATH,
    PARAPET_URL: url,
    PARAPET_TOKEN: key.token,
    PARAPET_TOKEN_ID: key.token_id,
    PARAPET_SIGNING_KEY: key.signing_key,
  };
  const run = async (...parameters: string[]) => {
    const { output, errors } = await parapet(parameters, client);
    if (output === '') throw new Error(errors);
    return JSON.parse(output);
  };
  const create = (path: string, body: object) => run('call', 'POST', path, '--body', JSON.stringify(body));
  const { system } = await create('/api/v1/systems', { name: 'Shop', environment: 'test', kind: 'site' });
  const shop = { system_id: system.id, name: 'Shop', kind: 'website', host };
  const { source } = await create('/api/v1/sources', shop);
  await create(`/api/v1/sources/${source.id}/risk-accept`, {});
  await create(`/api/v1/sources/${source.id}/authorize-scan`, {});
  const { findings } = await run('scan', '--source', source.id, '--wait', '--format', 'json');
  return findings.length;
}
