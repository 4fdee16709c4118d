import { randomUUID } from 'node:crypto';
import type { Scope } from '../../src/contract/keys.ts';
import type { SharedService } from '../support/service.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

/** Objects of one organization for requests to routes. */
export interface Fixture {
  readonly organizationId: string;
  readonly key: ClientKey;
  readonly systemId: string;
  readonly sourceId: string;
  readonly findingId: string;
  readonly scanId: string;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the specification. */
  readonly pattern: string;
  readonly scope: Scope;
  path(fixture: Fixture): string;
  body?(fixture: Fixture): object;
  /** Status of a valid request. */
  readonly status: number;
  /** Whether the path or the body names an object, which may belong to another organization. */
  readonly namesObject: boolean;
}

const event = () => ({ id: randomUUID(), kind: 'probe.started', occurred_at: '2026-11-21T08:00:00Z' });

const nobody: Fixture = {
  organizationId: '',
  key: { token: '', token_id: '', signing_key: '' },
  systemId: '',
  sourceId: '',
  findingId: '',
  scanId: '',
};

/** All sixteen routes, with a valid request for each. */
export const routes: readonly Route[] = [
  route('GET', '/api/v1/systems', 'findings:read', 200),
  route('POST', '/api/v1/systems', 'sources:write', 201, () => ({
    name: 'A',
    environment: 'test',
    kind: 'api',
  })),
  route('GET', '/api/v1/sources', 'findings:read', 200),
  route('POST', '/api/v1/sources', 'sources:write', 201, ({ systemId }) => ({
    system_id: systemId,
    name: 'Site',
    kind: 'website',
    host: 'example.com',
  })),
  route('DELETE', '/api/v1/sources/:id', 'sources:write', 200),
  route('POST', '/api/v1/sources/:id/risk-accept', 'sources:write', 200, () => ({})),
  route('POST', '/api/v1/sources/:id/credential', 'sources:write', 200, () => ({
    credential: { type: 'basic', username: 'u', password: 'a-password-of-the-suite' },
  })),
  route('POST', '/api/v1/sources/:id/test', 'sources:write', 200, () => ({})),
  route('POST', '/api/v1/sources/:id/authorize-scan', 'sources:write', 200, () => ({})),
  route('GET', '/api/v1/findings', 'findings:read', 200),
  route('GET', '/api/v1/findings/:id', 'findings:read', 200),
  route('GET', '/api/v1/scans', 'findings:read', 200),
  route('GET', '/api/v1/scans/:id', 'findings:read', 200),
  route('POST', '/api/v1/scans', 'scans:write', 201, ({ sourceId }) => ({
    source_id: sourceId,
    idempotency_key: randomUUID(),
  })),
  route('POST', '/functions/v1/events-ingest', 'ingest', 202, ({ systemId }) => ({
    system_id: systemId,
    events: [event()],
  })),
  route('POST', '/functions/v1/shield-ingest', 'ingest', 202, ({ systemId }) => ({
    system_id: systemId,
    events: [event()],
  })),
];

function route(
  method: Route['method'],
  pattern: string,
  scope: Scope,
  status: number,
  body?: (fixture: Fixture) => object,
): Route {
  const idOf = (fixture: Fixture) =>
    pattern.includes('/findings/')
      ? fixture.findingId
      : pattern.includes('/scans/')
        ? fixture.scanId
        : fixture.sourceId;
  return {
    method,
    pattern,
    scope,
    status,
    path: fixture => pattern.replace(':id', idOf(fixture)),
    ...(body ? { body } : {}),
    namesObject:
      pattern.includes(':id') || /"(system_id|source_id)"/.test(JSON.stringify(body?.(nobody) ?? {})),
  };
}

/** An organization with a key, a system, an authorized website, a scan and a finding. */
export async function createFixture(service: SharedService): Promise<Fixture> {
  const organizationId = await service.createOrganization();
  const key = await service.mint(organizationId);
  const post = async (path: string, body: object) => {
    const answer = await call(service.url, key, 'POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const { system } = await post('/api/v1/systems', { name: 'Shop', environment: 'test', kind: 'site' });
  const { source } = await post('/api/v1/sources', {
    system_id: system.id,
    name: 'Front',
    kind: 'website',
    host: 'shop.example',
  });
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  await post(`/api/v1/sources/${source.id}/authorize-scan`, {});
  const { scan } = await post('/api/v1/scans', { source_id: source.id, idempotency_key: randomUUID() });
  const [finding] = await service.storage
    .tenant(organizationId, { kind: 'service', id: 'test' })
    .transaction(transaction =>
      transaction.query<{ id: string }>({
        text: `insert into findings (system_id, source_id, category, fingerprint, locator, severity, title, remediation,
            seen, hipaa) values ($1, $2, 'tls.expired', 'f', 'l', 'high', 't', 'r', 's', true) returning id`,
        values: [system.id, source.id],
      }),
    );
  return {
    organizationId,
    key,
    systemId: system.id,
    sourceId: source.id,
    findingId: finding!.id,
    scanId: scan.id,
  };
}
