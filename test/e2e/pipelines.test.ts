import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { operate, ParapetProcess, parapet } from '../support/parapet-process.ts';
import { sarifValidator } from '../support/sarif-schema.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { httpServer, type TestServer } from '../support/website.ts';
import {
  type CompositeAction,
  evaluate,
  isMet,
  readYaml,
  runScript,
  type Values,
} from '../support/workflow-steps.ts';

const example = (path: string) => new URL(`../../examples/ci/${path}`, import.meta.url);
const action = readYaml<CompositeAction>(example('github-action/action.yml'));
const program = fileURLToPath(new URL('../../dist/main/parapet.js', import.meta.url));

let folder: string;
let bin: string;
let work: string;
let service: ParapetProcess;
let site: TestServer;
/** A website that is fixed, and breaks again, during the tests. */
let headers: Record<string, string> = {};
/** Of one test: together they would reach the limit of requests of a key. */
let key: ClientKey;
let mint: () => Promise<ClientKey>;
let url: string;
let sourceId: string;
let client: Record<string, string>;
/** A GitLab that records comments. */
let gitlab: TestServer;
const notes: { url: string; token: unknown; body: string }[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parapet-test-')));
  // As root, the database runs as another user, who needs access.
  await chmod(folder, 0o711);
  const data = join(folder, 'data');
  bin = join(folder, 'bin');
  await mkdir(bin);
  await mkdir(data);
  await chmod(data, 0o711);
  site = await httpServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html', ...headers })
      .end('<!doctype html><title>x</title>');
  });
  gitlab = await httpServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = new URLSearchParams(text).get('body') ?? '';
    notes.push({ url: request.url!, token: request.headers['private-token'], body });
    response.writeHead(201).end('{}');
  });
  const operator = {
    PARAPET_DATA: data,
    PORT: '0',
    PARAPET_PROCESSES: '1',
    PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8',
  };
  service = new ParapetProcess(['serve'], { PATH: process.env.PATH, ...operator });
  await service.says('"msg":"ready"');
  ({ url } = JSON.parse(service.output.split('\n').find(line => line.includes('"msg":"ready"'))!));
  const { id } = await operate(operator, 'organizations', 'create', '--name', 'Acme');
  mint = () => operate(operator, 'keys', 'mint', '--organization', id);
  key = await mint();
  const create = async (path: string, body: object) => (await call(url, key, 'POST', path, body)).json;
  const { system } = await create('/api/v1/systems', { name: 'S', environment: 'test', kind: 'site' });
  const host = `http://127.0.0.1:${site.port}`;
  // Its name is text of a person, and part of the reports.
  const name = 'Shop | <img src=x> @everyone `x`';
  const source = { system_id: system.id, name, kind: 'website', host };
  sourceId = (await create('/api/v1/sources', source)).source.id;
  await create(`/api/v1/sources/${sourceId}/risk-accept`, {});
  await create(`/api/v1/sources/${sourceId}/authorize-scan`, {});
  // The commands of a runner: the built program, and recorders of what is sent elsewhere.
  const commands = {
    parapet: `exec '${process.execPath}' '${program}' "$@"`,
    npm: `printf '%s\\n' "$@" > "$RECORDS/npm"`,
    gh: [
      `printf '%s ' "$@" >> "$RECORDS/gh"; echo >> "$RECORDS/gh"`,
      `for one in "$@"; do case "$one" in body=@*) cp "\${one#body=@}" "$RECORDS/comment";; esac; done`,
      `case "$*" in *--jq*) cat "$RECORDS/earlier" 2>/dev/null || true;; esac`,
    ].join('\n'),
  };
  for (const [command, script] of Object.entries(commands)) {
    await writeFile(join(bin, command), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
});

beforeEach(async () => {
  work = await mkdtemp(join(folder, 'work-'));
  notes.length = 0;
  key = await mint();
  client = {
    PARAPET_URL: url,
    PARAPET_TOKEN: key.token,
    PARAPET_TOKEN_ID: key.token_id,
    PARAPET_SIGNING_KEY: key.signing_key,
  };
});

afterAll(async () => {
  service?.signal('SIGTERM');
  await service?.end();
  await Promise.all([site?.close(), gitlab?.close()]);
  await rm(folder, { recursive: true, force: true });
});

const environment = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: `${bin}:${process.env.PATH}`,
  RECORDS: work,
  ...more,
});

const recorded = (name: string) => readFile(join(work, name), 'utf8').catch(() => '');

/** Runs the steps of the action as GitHub does. */
async function runAction(inputs: Record<string, string>) {
  const values: Values = new Map([
    ['runner.temp', work],
    ['github.token', 'a-token'],
    ['github.event_name', 'pull_request'],
    ['github.event.pull_request.number', '7'],
  ]);
  for (const [name, { required, default: value }] of Object.entries(action.inputs)) {
    if (required) expect(inputs, name).toHaveProperty(name);
    values.set(`inputs.${name}`, inputs[name] ?? evaluate(value ?? '', values));
  }
  let failed: number | null = null;
  const used: Record<string, string>[] = [];
  for (const step of action.runs.steps) {
    const always = step.if?.startsWith('always()') ?? false;
    if ((failed !== null && !always) || !isMet(step.if, values)) continue;
    if (step.uses) {
      const given = Object.entries(step.with!).map(([name, text]) => [name, evaluate(text, values)]);
      used.push({ uses: step.uses, ...Object.fromEntries(given) });
      continue;
    }
    // Values must not be part of the script, where they could be commands.
    expect(step.run).not.toContain('${{');
    const env = Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluate(text, values)]);
    const outputs = join(work, `output-${step.id}`);
    const { status, output } = await runScript(
      step.run!,
      environment({
        ...Object.fromEntries(env),
        GITHUB_OUTPUT: outputs,
        GITHUB_STEP_SUMMARY: join(work, 'step-summary'),
        GITHUB_REPOSITORY: 'acme/shop',
      }),
      work,
    );
    for (const secret of [key.token, key.signing_key]) expect(output).not.toContain(secret);
    const written = await readFile(outputs, 'utf8').catch(() => '');
    for (const line of written.split('\n').filter(Boolean)) {
      const [, name, value] = /^([\w-]+)=(.*)$/.exec(line)!;
      values.set(`steps.${step.id}.outputs.${name}`, value!);
    }
    if (status !== 0) failed ??= status;
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluate(value, values)]);
  return { failed, used, outputs: Object.fromEntries(outputs) };
}

const inputs = () => ({
  url,
  token: key.token,
  'token-id': key.token_id,
  'signing-key': key.signing_key,
  source: sourceId,
  package: './parapet.tgz',
});

it('runs the GitHub action: SARIF, summary, comment, outputs and the status of the scan', async () => {
  const first = await runAction({ ...inputs(), 'fail-on': 'medium' });
  expect(await recorded('npm')).toBe('install\n--global\n--omit=dev\n./parapet.tgz\n');
  expect(first).toMatchObject({ failed: 1, outputs: { status: '1', reopened: '0', resolved: '0' } });
  expect(Number(first.outputs.new)).toBeGreaterThan(2);
  expect(first.used).toEqual([
    {
      uses: expect.stringMatching(/^github\/codeql-action\/upload-sarif@v\d+$/),
      sarif_file: join(work, 'parapet.sarif'),
      category: `parapet/${sourceId}`,
    },
  ]);
  const validate = sarifValidator();
  expect(validate(JSON.parse(await recorded('parapet.sarif'))), JSON.stringify(validate.errors)).toBe(true);
  const summary = await recorded('step-summary');
  expect(summary).toContain(`## Parapet: ${first.outputs.new} new\n`);
  expect(summary).toContain("Scan of source `Shop \\| <img src=x> @everyone 'x'` completed.");
  expect(await recorded('comment')).toBe(summary);
  expect(await recorded('gh')).toContain('--method POST repos/acme/shop/issues/7/comments');
});

it('comments only what changed, and changes its earlier comment', async () => {
  const unchanged = await runAction({ ...inputs(), 'fail-on': '', 'upload-sarif': 'false' });
  expect(unchanged).toMatchObject({
    failed: null,
    used: [],
    outputs: { status: '0', new: '0', reopened: '0', resolved: '0' },
  });
  expect(await recorded('step-summary')).toContain('## Parapet: no changes\n');
  expect(await recorded('gh')).toBe('');

  await writeFile(join(work, 'earlier'), '4711\n');
  headers = { 'x-content-type-options': 'nosniff' };
  const fixed = await runAction({ ...inputs(), 'fail-on': '' });
  expect(fixed.outputs).toMatchObject({ new: '0', reopened: '0', resolved: '1' });
  expect(await recorded('gh')).toContain('--method PATCH repos/acme/shop/issues/comments/4711');
  expect(await recorded('comment')).toMatch(/### Resolved\n[\s\S]*\[`headers\.nosniff_missing`\]/);
  headers = {};
  const broken = await runAction({ ...inputs(), 'fail-on': '' });
  expect(broken.outputs).toMatchObject({ new: '0', reopened: '1', resolved: '0' });
});

it('fails with the status of an error, without a report or a comment', async () => {
  const { failed, used, outputs } = await runAction({ ...inputs(), token: 'svc_live_wrong' });
  expect({ failed, used, status: outputs.status }).toEqual({ failed: 2, used: [], status: '2' });
  expect(await recorded('gh')).toBe('');
});

it.each([
  ['bash', ['bash', '-eo', 'pipefail']],
  ['sh', ['sh', '-e']],
] as const)(
  'runs the GitLab job with %s: Code Quality report, comment and the status of the scan',
  async (_, shell) => {
    const jobs = readYaml<Record<string, { script: string[]; variables: Record<string, string> }>>(
      example('gitlab/parapet-scan.gitlab-ci.yml'),
    );
    const job = jobs['parapet-scan']!;
    headers = shell[0] === 'bash' ? { 'x-content-type-options': 'nosniff' } : {};
    const env = environment({
      ...client,
      ...job.variables,
      PARAPET_FAIL_ON: 'critical',
      PARAPET_SOURCE: sourceId,
      PARAPET_PACKAGE: './parapet.tgz',
      PARAPET_GITLAB_TOKEN: 'glpat-secret',
      CI_API_V4_URL: `http://127.0.0.1:${gitlab.port}/api/v4`,
      CI_PROJECT_ID: '1',
      CI_MERGE_REQUEST_IID: '2',
    });
    const ran = await runScript(job.script.join('\n'), env, work, shell);
    expect(ran.status, ran.output).toBe(0);
    const issues = JSON.parse(await recorded('gl-code-quality-report.json'));
    const path = encodeURIComponent(`127.0.0.1:${site.port}`);
    for (const issue of issues) {
      expect(issue).toEqual({
        description: expect.stringContaining('(Shop | <img'),
        check_name: expect.stringMatching(/^[a-z0-9_.]+$/),
        fingerprint: expect.stringMatching(/^[0-9a-f-]{36}$/),
        severity: expect.stringMatching(/^(info|minor|major|critical|blocker)$/),
        location: { path, lines: { begin: 1 } },
      });
    }
    expect(new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(
      issues.length,
    );
    expect(notes).toEqual([
      {
        url: '/api/v4/projects/1/merge_requests/2/notes',
        token: 'glpat-secret',
        body: await recorded('parapet.md'),
      },
    ]);
    const again = await runScript(job.script.join('\n'), env, work, shell);
    expect(again.status).toBe(0);
    expect(notes, 'nothing changed').toHaveLength(1);
    const failing = await runScript(job.script.join('\n'), { ...env, PARAPET_FAIL_ON: 'info' }, work, shell);
    expect(failing.status).toBe(1);
  },
);

it('runs the recipe of the document', async () => {
  const document = await readFile(new URL('../../docs/ci.md', import.meta.url), 'utf8');
  const [, recipe] = /```sh\n(status=0[\s\S]*?)```/.exec(document)!;
  const env = environment({ ...client, PARAPET_SYSTEM: 'x' });
  const ran = await runScript(
    recipe!.replace('--system "$PARAPET_SYSTEM"', `--source ${sourceId}`),
    env,
    work,
  );
  expect([0, 1]).toContain(ran.status);
  expect(ran.output).toContain('## Parapet: ');
  const refused = await runScript(recipe!, env, work);
  expect([refused.status, await recorded('parapet.md')]).toEqual([2, '']);
});

it('reports a summary that cannot be written before it starts a scan', async () => {
  const before = (await call(url, key, 'GET', '/api/v1/scans')).json.scans.length;
  const options = ['scan', '--source', sourceId, '--summary', join(work, 'missing', 'parapet.md')];
  const { status, errors } = await parapet(options, { PATH: process.env.PATH, ...client });
  expect([status, errors]).toEqual([2, expect.stringContaining('--summary: ENOENT')]);
  expect((await call(url, key, 'GET', '/api/v1/scans')).json.scans).toHaveLength(before);
});

it('knows only new findings of a scan that had ended before', async () => {
  const once = ['scan', '--source', sourceId, '--idempotency-key', 'pipeline-1', '--wait'];
  const env = { PATH: process.env.PATH, ...client };
  await parapet(once, env);
  const file = join(work, 'parapet.md');
  await parapet([...once, '--summary', file], env);
  expect(await readFile(file, 'utf8')).toContain('Reopened and resolved findings are not known.');
});
