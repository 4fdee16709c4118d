import { expect, it } from 'vitest';
import {
  assertAllowed,
  assertCredentialFits,
  assertTakesCredential,
  credentialTypesOf,
  describeState,
  isPrivileged,
  type SourceFacts,
} from './source-states.ts';

/** The code of the refusal, or undefined. */
function refusalOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const all = { privilegedScope: true, privilegedConnections: true };

const website: SourceFacts = {
  status: 'connected',
  kind: 'website',
  connection_mode: 'direct',
  probe_state: null,
  scan_authorized_at: '2026-01-01T00:00:00.000+00:00',
  has_credential: false,
  was_scanned: true,
  is_watched: true,
};

it.each<[string, Partial<SourceFacts>, string | undefined]>([
  ['a draft', { status: 'draft', scan_authorized_at: null }, 'accept_risk'],
  ['one that was never tested', { status: 'pending', was_scanned: false }, 'test'],
  ['one that was scanned without a test', { status: 'pending', is_watched: false }, 'watch'],
  ['one whose test failed', { status: 'failing' }, 'test'],
  ['a database without a credential', { kind: 'postgres', status: 'pending' }, 'store_credential'],
  ['a database with one', { kind: 'postgres', status: 'failing', has_credential: true }, 'test'],
  ['one without scan authorization', { scan_authorized_at: null }, 'authorize_scan'],
  ['one that was never scanned', { was_scanned: false, is_watched: false }, 'scan'],
  ['one that is not watched', { is_watched: false }, 'watch'],
  ['one that has all', {}, undefined],
  [
    'one of a probe, which connects to it',
    { connection_mode: 'probe', kind: 'postgres', probe_state: 'reporting' },
    undefined,
  ],
  [
    'one of a probe that is pending',
    { connection_mode: 'probe', kind: 'postgres', status: 'pending', scan_authorized_at: null },
    'authorize_scan',
  ],
  [
    'one of a probe that has not reported',
    { connection_mode: 'probe', status: 'pending', was_scanned: false },
    'run_probe',
  ],
  [
    'one of a probe that has only failed',
    { connection_mode: 'probe', status: 'failing', probe_state: 'reporting', was_scanned: false },
    undefined,
  ],
  [
    'one that its probe no longer names',
    { connection_mode: 'probe', status: 'pending', probe_state: 'dropped' },
    'run_probe',
  ],
  ['one that is disconnected', { status: 'disconnected', scan_authorized_at: null }, 'connect_anew'],
])('returns the next step for %s', (_, facts, action) => {
  expect(describeState({ ...website, ...facts }, { privilegedConnections: true }).next?.action).toBe(action);
});

it.each([
  ['draft', /^Parapet does not connect/, /^A probe assesses this source only after/],
  ['pending', /not been tested/, /^No probe reports/],
  ['connected', /^Connection OK/, /^The probe can assess/],
  ['failing', /^Connection failed/, /^The probe cannot assess/],
  ['disconnected', /^Parapet no longer connects/, /^Reports of a probe .* are ignored/],
] as const)('describes a source that is %s by who connects to it', (status, direct, probe) => {
  expect(describeState({ ...website, status }, all).allows).toMatch(direct);
  expect(describeState({ ...website, status, connection_mode: 'probe' }, all).allows).toMatch(probe);
});

it.each([
  ['silent', /is silent/],
  ['key_revoked', /key .* is revoked/],
  ['key_expired', /key .* has expired/],
  ['dropped', /no longer names/],
] as const)('does not describe a status that a probe reported that is %s', (probe_state, text) => {
  for (const status of ['pending', 'connected', 'failing'] as const) {
    const source = { ...website, status, connection_mode: 'probe', probe_state } as const;
    expect(describeState(source, all).allows).toMatch(text);
  }
});

it('never names a next step that the state does not allow', () => {
  for (const status of ['draft', 'pending', 'connected', 'failing', 'disconnected'] as const) {
    for (const has_credential of [true, false]) {
      for (const kind of ['website', 'mysql'] as const) {
        const { next } = describeState(
          { ...website, status, kind, has_credential, scan_authorized_at: null },
          { privilegedConnections: true },
        );
        if (next?.action === 'connect_anew') continue;
        expect(() => assertAllowed(status, next!.action as never)).not.toThrow();
      }
    }
  }
});

it('does not request a credential if the service does not connect to databases', () => {
  const service = { privilegedConnections: false };
  for (const status of ['pending', 'connected', 'failing'] as const) {
    const { next } = describeState({ ...website, kind: 'postgres', status }, service);
    expect(next).toEqual({ action: 'connect_anew', text: expect.stringContaining('probe mode') });
  }
  expect(describeState({ ...website, kind: 'postgres', status: 'draft' }, service).next?.action).toBe(
    'accept_risk',
  );
  expect(describeState({ ...website, is_watched: false }, service).next?.action).toBe('watch');
});

it('allows nothing with a source that is disconnected', () => {
  expect(describeState({ ...website, status: 'disconnected' }, all).actions).toEqual([]);
});

it.each([
  ['draft', 'store_credential', 'source_is_draft'],
  ['draft', 'test', 'source_is_draft'],
  ['draft', 'authorize_scan', 'source_is_draft'],
  ['draft', 'accept_risk', undefined],
  ['pending', 'accept_risk', undefined],
  ['connected', 'store_credential', undefined],
  ['failing', 'authorize_scan', undefined],
  ['disconnected', 'accept_risk', 'source_is_disconnected'],
  ['disconnected', 'test', 'source_is_disconnected'],
] as const)('of a source that is %s, %s is %s', (status, action, code) => {
  expect(refusalOf(() => assertAllowed(status, action))).toBe(code);
  const { actions } = describeState({ ...website, status }, all);
  expect(actions.includes(action)).toBe(code === undefined);
});

it.each([
  ['website', {}, { privilegedScope: false, privilegedConnections: false }, undefined],
  ['postgres', {}, all, undefined],
  ['postgres', {}, { ...all, privilegedScope: false }, 'forbidden'],
  ['mysql', {}, { ...all, privilegedConnections: false }, 'privileged_connections_disabled'],
  ['supabase', {}, { privilegedScope: false, privilegedConnections: false }, 'forbidden'],
  ['postgres', { status: 'draft' }, { ...all, privilegedScope: false }, 'source_is_draft'],
  ['website', { connection_mode: 'probe' }, all, 'source_is_probe_mode'],
  [
    'postgres',
    { connection_mode: 'probe' },
    { privilegedScope: false, privilegedConnections: false },
    'source_is_probe_mode',
  ],
  ['postgres', { status: 'disconnected' }, all, 'source_is_disconnected'],
] as const)(
  'of a %s source with %j, a credential is refused to %j with %s',
  (kind, facts, permissions, code) => {
    const source = { ...website, kind, ...facts };
    expect(refusalOf(() => assertTakesCredential(source, permissions))).toBe(code);
  },
);

it.each([
  ['website', false, ['basic', 'header']],
  ['postgres', true, ['dsn']],
  ['mysql', true, ['dsn']],
  ['redis', true, ['dsn']],
  ['supabase', true, ['service_role']],
] as const)('a %s source is privileged: %s, and takes %j', (kind, privileged, types) => {
  expect(isPrivileged(kind)).toBe(privileged);
  expect(credentialTypesOf(kind)).toEqual(types);
  for (const type of ['basic', 'header', 'dsn', 'service_role'] as const) {
    const fits = (types as readonly string[]).includes(type);
    const code = refusalOf(() => assertCredentialFits(kind, type));
    expect(code, type).toBe(fits ? undefined : 'credential_not_applicable');
  }
});

it('says which types fit', () => {
  expect(() => assertCredentialFits('website', 'dsn')).toThrow(
    expect.objectContaining({
      details: {
        fields: [{ path: 'credential.type', message: 'must be basic or header for a website source' }],
      },
    }),
  );
});
