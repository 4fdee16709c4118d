import { randomUUID } from 'node:crypto';
import { currentRiskStatement } from '../../src/domain/risk-statements.ts';
import type { DashboardFixture, DashboardRoute } from './routes.ts';

const { version: statement_version } = currentRiskStatement('website');

const organization = '/organizations/:organization';
const nothing = () => ({});
const source = ({ sourceId }: DashboardFixture) => sourceId;
const seen = ({ systemId }: DashboardFixture) => ({
  system_id: systemId,
  kind: 'postgres',
  host: 'db.internal',
});
const view = () => ({ name: 'V', filters: { severity: 'high' }, shared: false });

function reads(pattern: string, more: Partial<DashboardRoute> = {}): DashboardRoute {
  return { method: 'GET', pattern: organization + pattern, access: 'member', status: 200, ...more };
}

function operates(
  method: DashboardRoute['method'],
  pattern: string,
  more: Partial<DashboardRoute> = {},
): DashboardRoute {
  const body = method === 'DELETE' ? {} : { body: nothing };
  return { method, pattern: organization + pattern, access: 'admin', status: 200, ...body, ...more };
}

/** Routes of findings, systems, sources, probes, scans and events, with a valid request for each. */
export const postureRoutes: readonly DashboardRoute[] = [
  reads('/overview'),
  reads('/findings'),
  reads('/findings/counts'),
  reads('/findings/groups', { query: 'by=check' }),
  reads('/findings/ids'),
  reads('/findings/export', { query: 'format=json', stepUp: true }),
  reads('/findings/:id', { id: ({ findingId }) => findingId }),
  operates('POST', '/findings/triage', {
    stepUp: true,
    body: ({ findingId }) => ({ ids: [findingId], decision: { decision: 'false_positive', reason: 'r' } }),
    bodyNamesObject: true,
  }),
  operates('POST', '/findings/assign', {
    body: ({ findingId }) => ({ ids: [findingId], owner_id: null }),
    bodyNamesObject: true,
  }),
  operates('POST', '/findings/due', {
    body: ({ findingId }) => ({ ids: [findingId], due_on: null }),
    bodyNamesObject: true,
  }),
  reads('/findings/comments', {
    method: 'POST',
    body: ({ findingId }) => ({ ids: [findingId], body: 'A comment' }),
    bodyNamesObject: true,
    status: 201,
  }),
  reads('/finding-comments/:id', {
    method: 'PUT',
    body: () => ({ body: 'Another comment' }),
    id: () => randomUUID(),
    status: 404,
  }),
  reads('/finding-comments/:id', { method: 'DELETE', id: () => randomUUID(), status: 404 }),
  reads('/findings/people'),
  reads('/findings/due-policy'),
  operates('PUT', '/findings/due-policy', {
    stepUp: true,
    body: () => ({ critical: 7, high: 30, medium: 90, low: null }),
  }),
  operates('POST', '/findings/:id/verify', { id: ({ findingId }) => findingId, status: 202 }),
  reads('/views'),
  reads('/views', { method: 'POST', body: view, status: 201 }),
  reads('/views/:id', { method: 'PUT', body: view, id: () => randomUUID(), status: 404 }),
  reads('/views/:id', { method: 'DELETE', id: () => randomUUID(), status: 404 }),
  reads('/systems'),
  reads('/systems/names'),
  operates('POST', '/systems', {
    stepUp: true,
    body: () => ({ name: 'Shop', environment: 'production', kind: 'site' }),
    status: 201,
  }),
  operates('PUT', '/systems/:id', {
    stepUp: true,
    id: ({ systemId }) => systemId,
    body: () => ({ name: 'Shop', environment: 'production', kind: 'site' }),
  }),
  operates('POST', '/systems/:id/approve', { stepUp: true, id: ({ systemId }) => systemId }),
  reads('/sources'),
  operates('POST', '/sources', {
    stepUp: true,
    body: ({ systemId }) => ({ system_id: systemId, name: 'W', kind: 'website', host: 'www.example' }),
    bodyNamesObject: true,
    status: 201,
  }),
  reads('/sources/:id', { id: source }),
  operates('POST', '/sources/:id/risk-accept', {
    stepUp: true,
    id: source,
    body: () => ({ statement_version }),
  }),
  operates('POST', '/sources/:id/credential', {
    id: source,
    stepUp: true,
    body: () => ({ credential: { type: 'basic', username: 'u', password: 'a-password-of-the-suite' } }),
  }),
  operates('POST', '/sources/:id/test', { id: source }),
  operates('POST', '/sources/:id/authorize-scan', { stepUp: true, id: source }),
  operates('DELETE', '/sources/:id', { stepUp: true, id: source }),
  operates('PUT', '/sources/:id/watch', { stepUp: true, id: source, body: () => ({ every_hours: 24 }) }),
  operates('DELETE', '/sources/:id/watch', { stepUp: true, id: source }),
  operates('PUT', '/sources/:id/shield', { stepUp: true, id: source }),
  operates('DELETE', '/sources/:id/shield', { stepUp: true, id: source }),
  reads('/sources/:id/shield', { id: source, query: 'days=7' }),
  reads('/shield'),
  operates('POST', '/sources/:id/domain-proof', { stepUp: true, id: source }),
  // No token was requested yet.
  operates('POST', '/sources/:id/domain-proof/check', { stepUp: true, id: source, status: 404 }),
  reads('/sources/:id/changes', { id: source }),
  reads('/risk-statements'),
  reads('/probes'),
  reads('/probes/:id', { id: ({ probeId }) => probeId }),
  operates('POST', '/systems/:id/probes', {
    stepUp: true,
    id: ({ systemId }) => systemId,
    body: () => ({
      name: 'branch',
      sources: [],
      new_sources: [{ kind: 'website', name: 'Intranet', host: 'intranet.example' }],
      statement_versions: { website: statement_version },
    }),
    status: 201,
  }),
  operates('POST', '/probes/:id/rotate-key', { stepUp: true, id: ({ probeId }) => probeId, status: 201 }),
  operates('POST', '/probes/:id/remove', { stepUp: true, id: ({ probeId }) => probeId }),
  reads('/inventory'),
  operates('POST', '/inventory/adopt', { stepUp: true, body: seen, bodyNamesObject: true, status: 201 }),
  operates('POST', '/inventory/dismiss', { stepUp: true, body: seen, bodyNamesObject: true }),
  reads('/scans'),
  reads('/scans/:id', { id: ({ scanId }) => scanId }),
  reads('/scans/:id/changes', { id: ({ scanId }) => scanId }),
  operates('POST', '/scans', {
    body: ({ sourceId }) => ({ source_id: sourceId }),
    bodyNamesObject: true,
    status: 202,
  }),
  // Its domain is not proven.
  operates('POST', '/scans/full', {
    stepUp: true,
    body: ({ sourceId }) => ({ source_id: sourceId }),
    bodyNamesObject: true,
    status: 400,
  }),
  operates('POST', '/scans/:id/stop', { id: ({ scanId }) => scanId }),
  reads('/events'),
  reads('/events/counts'),
  reads('/scans/retention', { access: 'admin' }),
  operates('PUT', '/scans/retention', { stepUp: true, body: () => ({ retention_days: 365 }) }),
  reads('/events/retention', { access: 'admin' }),
  operates('PUT', '/events/retention', { stepUp: true, body: () => ({ retention_days: 90 }) }),
  reads('/events/:id', {
    id: () => randomUUID(),
    query: `system_id=${randomUUID()}&channel=events`,
    status: 404,
  }),
];
