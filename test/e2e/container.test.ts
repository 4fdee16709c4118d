import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { startSampleSite } from '../../src/main/sample-site/sample-site.ts';
import { Composition, hasCompose } from '../support/compose.ts';
import { ContainerStore, canRunContainers } from '../support/container-image.ts';
import { firstScan } from '../support/first-scan.ts';
import { poll } from '../support/poll.ts';
import { call } from '../support/signing-client.ts';
import { freePort } from '../support/website.ts';

describe.runIf(canRunContainers())('the container image', () => {
  let store: ContainerStore;
  beforeAll(async () => {
    store = await ContainerStore.create();
    await store.build();
  }, 600_000);
  afterAll(() => store?.remove());

  it('runs as a user without rights, is labeled, checked for health, and has a bill of materials', async () => {
    const [image] = JSON.parse(await store.podman('image', 'inspect', 'parapet'));
    expect(image.User).toBe('65532:0');
    expect(image.Labels).toMatchObject({ 'org.opencontainers.image.version': packageJson.version });
    expect(image.Healthcheck.Test).toEqual(['CMD', 'parapet', 'health']);
    expect(Object.keys(image.Config.Volumes)).toEqual(['/var/lib/parapet']);
    expect(image.Config.Entrypoint[0]).toBe('tini');
    const container = (await store.buildah('from', 'parapet')).trim();
    const within = (...command: string[]) =>
      store.buildah('run', '--isolation', 'chroot', container, '--', ...command);
    const package_ = '/opt/parapet/lib/node_modules/@parapet-posture/parapet';
    expect(JSON.parse(await within('cat', `${package_}/dist/sbom.cdx.json`)).bomFormat).toBe('CycloneDX');
    const writable = await within('find', '/opt/parapet', '-writable', '!', '-type', 'l');
    expect(writable).toBe('');
    const prebuilds = await within('ls', `${package_}/node_modules/sodium-native/prebuilds`);
    expect(prebuilds.trim()).toBe(`linux-${process.arch}`);
  });

  it('serves as a random user on a read-only file system, scans, restarts with its data, and stops', async () => {
    const [port, management] = [await freePort(), await freePort()];
    const site = await startSampleSite();
    const options = [
      ...[
        '--name',
        'parapet-test',
        '--network',
        'host',
        '--read-only',
        '--tmpfs',
        '/tmp',
        '--user',
        '123456:0',
      ],
      ...[
        '--cap-drop',
        'all',
        '--security-opt',
        'no-new-privileges',
        '--volume',
        'parapet-test:/var/lib/parapet',
      ],
      // Usual limits are higher than those that this machine may set.
      ...['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
      ...['--env', `PORT=${port}`, '--env', `PARAPET_MANAGEMENT_PORT=${management}`],
      ...['--env', 'PARAPET_TARGET_ALLOWLIST=127.0.0.0/8', '--env', 'PARAPET_PROCESSES=2', 'parapet'],
    ];
    const start = async () => {
      const container = store.start('--rm', ...options);
      const [output, errors, ended] = [
        text(container.stdout),
        text(container.stderr),
        once(container, 'exit'),
      ];
      await poll('the container is ready', async () => {
        if (container.exitCode !== null) throw new Error((await output) + (await errors));
        const answer = await fetch(`http://127.0.0.1:${management}/readyz`).catch(() => null);
        return answer?.status === 200;
      });
      const stop = async () => {
        await store.podman('stop', '--time', '60', 'parapet-test');
        return { status: (await ended)[0], log: await output };
      };
      return { stop };
    };
    const operate = async (...parameters: string[]) =>
      JSON.parse(await store.podman('exec', 'parapet-test', 'parapet', ...parameters, '--json'));

    const first = await start();
    expect(await store.podman('exec', 'parapet-test', 'parapet', 'health')).toBe('ready\n');
    expect(await store.podman('exec', 'parapet-test', 'cat', '/proc/1/comm')).toBe('tini\n');
    const organization = await operate('organizations', 'create', '--name', 'Acme');
    const key = await operate('keys', 'mint', '--organization', organization.id);
    expect(await firstScan(`http://127.0.0.1:${port}`, key, site.host)).toBeGreaterThan(5);
    const ended = await first.stop();
    expect(ended.status).toBe(0);
    expect(ended.log).toContain('"msg":"stopped"');
    const second = await start();
    expect((await operate('organizations', 'list')).organizations).toMatchObject([{ id: organization.id }]);
    expect((await second.stop()).status).toBe(0);
    await site.close();
  }, 300_000);

  describe.runIf(hasCompose())('with Compose', () => {
    it.each([
      ['single', 'parapet', []],
      ['cluster', 'worker', ['api', 'worker']],
    ] as const)(
      '%s starts, and answers',
      async (name, service, nodes) => {
        if (name === 'cluster') await store.buildPostgresql();
        const composition = await Composition.start(store, name);
        onTestFinished(() => composition.remove(), 60_000);
        await poll(
          'it is ready',
          async () => (await fetch(`${composition.url}/readyz`).catch(() => null))?.ok,
        );
        await poll('its service is healthy', async () =>
          composition.parapet(service, 'health').catch(() => undefined),
        );
        const { id } = JSON.parse(
          await composition.parapet(service, 'organizations', 'create', '--name', 'Acme', '--json'),
        );
        const key = JSON.parse(
          await composition.parapet(service, 'keys', 'mint', '--organization', id, '--json'),
        );
        expect((await call(composition.url, key, 'GET', '/api/v1/systems')).json).toMatchObject({
          systems: [],
        });
        const state = JSON.parse(await composition.parapet(service, 'admin', '--json'));
        expect(state.attention).toEqual([]);
        expect(state.nodes.map(({ role }: { role: string }) => role).sort()).toEqual(
          nodes.length > 0 ? nodes : ['all'],
        );
      },
      300_000,
    );
  });
});
