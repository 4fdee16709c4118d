import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { migrate } from '../../src/database/migrate.ts';
import { withOwner } from '../../src/database/with-owner.ts';
import { filesBelow } from '../support/files-below.ts';
import { findOutsidePostgres, startOutsidePostgres } from '../support/outside-postgres.ts';

/** The manifests of deploy/kubernetes and deploy/compose. */

const outside = await findOutsidePostgres();

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const documented = read('docs/configuration.md');

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string }[];
}
interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
  readonly securityContext: object;
}
interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: { readonly matchLabels?: object };
    readonly ports: readonly { readonly targetPort: string }[];
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
  };
}

const require = createRequire(import.meta.url);
const resources = filesBelow('deploy/kubernetes', /\.yaml$/).flatMap(file =>
  parseAllDocuments(read(file)).map(document => document.toJS() as Resource),
);
const ofKind = (kind: string) => resources.filter(resource => resource.kind === kind);

/** Validates with the schema of the Kubernetes API. Throws. */
function validate(resource: Resource): void {
  const models = require(`kubernetes-models/${resource.apiVersion}`);
  new models[resource.kind](resource).validate();
}

it('names the version of this release everywhere', () => {
  const files = [...filesBelow('deploy', /\.yaml$|Containerfile$/), 'docs/install.md'];
  const named = files.flatMap(file =>
    [...read(file).matchAll(/(?:\/parapet:|posture-parapet-|^ARG VERSION=)(\d+\.\d+\.\d+)/gm)].map(
      ([, version]) => version,
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)]).toEqual([packageJson.version]);
});

it('names images of others by digest', () => {
  const images = filesBelow('deploy', /\.yaml$|Containerfile$/).flatMap(file =>
    [...read(file).matchAll(/^ *(?:image:|ARG BASE=) *(\S+)$/gm)].map(([, image]) => image!),
  );
  const others = images.filter(image => !/(?:^|\/)parapet(?::|$)/.test(image));
  expect(others.length).toBeGreaterThan(1);
  for (const image of others) expect(image).toMatch(/:[\w.-]+@sha256:[0-9a-f]{64}$/);
});

describe('Kubernetes', () => {
  it('accepts each manifest', () => {
    expect(resources.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'Deployment',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
      'Service',
    ]);
    for (const resource of resources) expect(() => validate(resource), resource.metadata.name).not.toThrow();
    const [api] = ofKind('Deployment');
    expect(() => validate({ ...api!, spec: { ...api!.spec, replicas: 'two' } } as never)).toThrow();
  });

  it('runs every container in the restricted profile, with the image of this release', () => {
    for (const { spec } of ofKind('Deployment')) {
      const pod = spec.template.spec;
      expect(pod.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.image).toMatch(new RegExp(`:${packageJson.version}$`));
        const volumes = pod.volumes.map(({ name }) => name);
        expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes);
      }
    }
  });

  it('selects pods that exist, by ports that they have', () => {
    const pods = ofKind('Deployment').map(({ spec }) => spec.template);
    for (const { metadata, spec } of [...ofKind('Service'), ...ofKind('PodDisruptionBudget')]) {
      const labels = spec.selector.matchLabels ?? spec.selector;
      const pod = pods.find(one => JSON.stringify(one.metadata.labels) === JSON.stringify(labels));
      expect(pod, metadata.name).toBeDefined();
      const ports = JSON.stringify(pod!.spec.containers[0]);
      for (const { targetPort } of spec.ports ?? []) expect(ports).toContain(`"name":"${targetPort}"`);
    }
  });

  it('mounts the files that the settings name', () => {
    const settings = ofKind('ConfigMap')[0]!.data!;
    const keys = [...read('docs/install.md').matchAll(/--from-file=(\S+)/g)].map(([, key]) => key!);
    expect(keys.length).toBeGreaterThan(0);
    const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([, path]) => path.replace('/run/secrets/parapet/', '')).sort()).toEqual(keys.sort());
  });
});

describe('Compose', () => {
  it.each(['single', 'cluster'])(
    '%s has read-only containers, and the secrets and volumes that it names',
    name => {
      const file = parse(read(`deploy/compose/${name}.yaml`));
      for (const [service, settings] of Object.entries<Record<string, string[]>>(file.services)) {
        for (const secret of settings.secrets ?? []) expect(file.secrets).toHaveProperty(secret);
        for (const volume of settings.volumes ?? []) {
          const [source] = volume.split(':') as [string];
          if (source.startsWith('./')) read(join('deploy/compose', source));
          else expect(file.volumes).toHaveProperty(source);
        }
        for (const [variable, path] of Object.entries(settings.environment ?? {}))
          if (variable.endsWith('_FILE'))
            expect(settings.secrets).toContain(path.replace('/run/secrets/', ''));
        if (service === 'postgresql') continue;
        expect(settings).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      }
    },
  );

  it.runIf(outside)('gives Parapet a role that is no superuser, and owns its database', async () => {
    const postgres = await startOutsidePostgres(outside!);
    onTestFinished(() => postgres.close());
    const { hostname } = new URL(postgres.url);
    const folder = await mkdtemp(join(tmpdir(), 'parapet-compose-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'password'), "it's a secret\n");
    const script = fileURLToPath(new URL('../../deploy/compose/create-role.sh', import.meta.url));
    await promisify(execFile)('sh', [script], {
      env: {
        PATH: `${outside}:${process.env.PATH}`,
        PGHOST: decodeURIComponent(hostname),
        POSTGRES_USER: 'admin',
        PASSWORD_FILE: join(folder, 'password'),
      },
    });
    const connection = connectionFromUrl(`postgresql://parapet:its-secret@${hostname}:5432/parapet`);
    await migrate(connection);
    const { rows } = await withOwner(connection, 'test', owner =>
      owner.query('select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user'),
    );
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: true, rolcreatedb: false }]);
  });
});

it('names only variables that exist', () => {
  const settings = [
    ...Object.keys(ofKind('ConfigMap')[0]!.data!),
    ...['single', 'cluster'].flatMap(name =>
      [...read(`deploy/compose/${name}.yaml`).matchAll(/^ {6}((?:PARAPET|DATABASE)_\w+):/gm)].map(
        ([, variable]) => variable!,
      ),
    ),
    ...[...read('deploy/container/Containerfile').matchAll(/\b(PARAPET_\w+)=/g)].map(
      ([, variable]) => variable!,
    ),
    ...filesBelow('deploy/systemd', /parapet(-worker)?\.service$/).flatMap(file =>
      [...read(file).matchAll(/^Environment=(\w+)=/gm)].map(([, variable]) => variable!),
    ),
  ];
  expect(settings.length).toBeGreaterThan(12);
  for (const name of settings) expect(documented, name).toContain(`\`${name.replace(/_FILE$/, '')}\``);
});
