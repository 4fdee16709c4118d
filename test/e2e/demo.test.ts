import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardClient } from '../support/dashboard-client.ts';
import { ParapetProcess, parapet } from '../support/parapet-process.ts';
import { processesIn } from '../support/private-postgres/data-folders.ts';

let home: string;
let env: NodeJS.ProcessEnv;
const running: ParapetProcess[] = [];

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'parapet-test-')));
  // As root, the database runs as another user, who needs access.
  await chmod(home, 0o711);
  env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    // The demo creates its own service, and must not use the one of these settings.
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    PARAPET_DATA: join(home, 'untouched'),
    PARAPET_BRAND: 'acme',
  };
});

afterEach(async () => {
  for (const demo of running.splice(0)) demo.signal('SIGKILL');
  const left = await processesIn(home);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  await rm(home, { recursive: true, force: true });
  expect(left).toEqual([]);
});

async function expectNothingLeft(): Promise<void> {
  expect(await readdir(home)).toEqual([]);
  expect(await processesIn(home)).toEqual([]);
}

function startDemo(): ParapetProcess {
  const demo = new ParapetProcess(['demo'], env);
  running.push(demo);
  return demo;
}

describe('parapet demo', () => {
  it('shows the steps from the first signed call to the findings, and leaves nothing behind', async () => {
    const { status, output, errors } = await parapet(['demo', '--exit'], env);
    expect(status, errors).toBe(0);
    for (const family of ['tls', 'transport', 'csp', 'headers', 'cors', 'cookies', 'exposure']) {
      expect(output).toMatch(new RegExp(`^  ${family}\\.[a-z0-9_]+`, 'm'));
    }
    for (const severity of ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO']) {
      expect(output).toMatch(new RegExp(`^${severity}$`, 'm'));
    }
    expect(output).toContain('nginx, in the server block:');
    expect(output).toContain('Verdict: fail');
    expect(output).toMatch(
      /v2\|POST\|\/api\/v1\/systems\|\d+\|[0-9a-f]{32}\|application\/json\|[0-9a-f]{64}\|[0-9a-f-]{36}\|2\n/,
    );
    expect(output).toContain('authorization: Bearer svc_live_***');
    expect(output).toContain('The same request sent again: 401 {"error":"Unauthorized"}');
    // Neither secrets nor terminal control sequences.
    expect(output + errors).not.toMatch(/svc_live_[A-Za-z0-9]|svc_sign_/);
    expect(output + errors).not.toContain('\u001b');
    await expectNothingLeft();
  });

  it('keeps running for calls with the printed values, until Ctrl-C', async () => {
    const demo = startDemo();
    await demo.says('Press Ctrl-C to end the demo');
    const printed = Object.fromEntries(
      [...demo.output.matchAll(/export (PARAPET_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    const called = await parapet(['call', 'GET', '/api/v1/findings?limit=1'], {
      PATH: process.env.PATH,
      ...printed,
    });
    expect(called).toMatchObject({ status: 0, errors: 'HTTP 200 OK\n' });
    expect(JSON.parse(called.output).findings).toHaveLength(1);
    expect((await fetch(`${printed.PARAPET_URL}/docs/openapi.json`)).status).toBe(200);
    const [, email, password] = /Sign in as: +(\S+), password (\S+)/.exec(demo.output)!;
    const visitor = new DashboardClient(printed.PARAPET_URL!);
    const session = await visitor.post('/sign-in', { email, password });
    expect(session.json).toMatchObject({ state: 'signed_in', organizations: [{ role: 'member' }] });
    const [, token] = /Owner invitation: +http:\/\/localhost:\d+\/dashboard\/invitation#token=(\S+)/.exec(
      demo.output,
    )!;
    const invitation = await visitor.post('/invitations/preview', { token });
    expect(invitation.json).toMatchObject({ organization_name: 'Harbor View Clinic', role: 'owner' });
    demo.signal('SIGINT');
    expect(await demo.end()).toBe(0);
    await expectNothingLeft();
  });

  it.each([
    ['while the service starts', '1. Start the service', 'SIGINT', 130],
    ['while it scans', '9. Follow the scan', 'SIGTERM', 143],
  ] as const)('stops cleanly when interrupted %s', async (_when, seen, signal, status) => {
    const demo = startDemo();
    await demo.says(seen);
    demo.signal(signal);
    // npm forwards a signal that the terminal has already sent.
    demo.signal(signal);
    expect(await demo.end(), demo.errors).toBe(status);
    expect(demo.errors).toMatch(/^(scan .*\n)*\nRemoving the demo\.\n$/);
    await expectNothingLeft();
  });

  it('explains what to do about a site that it may not reach', async () => {
    const { status, errors } = await parapet(['demo', 'http://127.0.0.1:9', '--exit'], env);
    expect(status).toBe(1);
    expect(errors).toBe(
      'parapet: http://127.0.0.1:9 cannot be scanned: its address is not public. To allow it, add it to PARAPET_TARGET_ALLOWLIST, for example 10.20.0.0/16\n',
    );
    await expectNothingLeft();
  });
});
