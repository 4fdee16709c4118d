import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlExample } from '../../web/pages/settings/first-call.ts';
import { goExample, javascriptExample, pythonExample } from '../../web/pages/settings/first-call-code.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { canTest } from '../support/can-test.ts';
import { startService, type TestService } from '../support/service.ts';

const run = promisify(execFile);

/** What the dashboard offers to copy after a key was created, except for its own CLI. */
const examples = [
  {
    name: 'curl',
    write: curlExample,
    file: 'first-call.sh',
    command: ['bash', '-euo', 'pipefail'],
    probe: ['bash', '--version'],
  },
  {
    name: 'Python',
    write: pythonExample,
    file: 'first_call.py',
    command: ['python3'],
    probe: ['python3', '-c', 'import cryptography'],
  },
  {
    name: 'JavaScript',
    write: javascriptExample,
    file: 'first-call.mjs',
    command: [process.execPath],
    probe: [process.execPath, '-v'],
  },
  { name: 'Go', write: goExample, file: 'first_call.go', command: ['go', 'run'], probe: ['go', 'version'] },
] as const;

const present = examples.filter(({ name, probe: [command, ...parameters] }) =>
  canTest(
    spawnSync(command, parameters).status === 0,
    `the first call in ${name}: "${command}" is not usable here`,
  ),
);

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService({ brand: 'acme' });
  folder = await mkdtemp(join(tmpdir(), 'parapet-first-call-'));
});
afterAll(async () => {
  await service?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe.each(present)('the first call in $name', ({ write, file, command: [command, ...parameters] }) => {
  it.each(['dashboard', 'probe'] as const)(
    'works with a %s key, and fails with a wrong token',
    async kind => {
      const { organizationId, systemId } = await authorizedSource(service);
      const key = await service.mint(organizationId, kind === 'probe' ? { kind, systemId } : { kind });
      await writeFile(join(folder, file), write(kind, 'acme'));
      // In the folder of the file that the dashboard offers to download.
      const environment = {
        PARAPET_URL: service.url,
        PARAPET_TOKEN: key.token,
        PARAPET_TOKEN_ID: key.token_id,
        PARAPET_SIGNING_KEY: key.signing_key,
      };
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(join(folder, 'parapet.env'), variables.join(''));
      const call = (variant: NodeJS.ProcessEnv) =>
        run(command, [...parameters, file], { cwd: folder, env: { ...process.env, ...variant } });
      const { stdout } = await call(environment);
      const expected = kind === 'probe' ? { accepted: 1, rejected: [] } : { findings: expect.any(Array) };
      expect(JSON.parse(stdout)).toMatchObject(expected);
      await writeFile(join(folder, 'parapet.env'), variables.join('').replace(key.token, `${key.token}x`));
      await expect(call({ ...environment, PARAPET_TOKEN: `${key.token}x` })).rejects.toThrow();
    },
  );
});
