import { randomUUID } from 'node:crypto';
import type { DashboardRoute } from './routes.ts';

const organization = '/organizations/:organization';
const control = `${organization}/controls/:control`;
const period = 'from=2026-01-01&until=2026-12-31';
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

function reads(pattern: string, more: Partial<DashboardRoute> = {}): DashboardRoute {
  return { method: 'GET', pattern, access: 'member', status: 200, ...more };
}

function operates(pattern: string, more: Partial<DashboardRoute>): DashboardRoute {
  return { method: 'POST', pattern, access: 'admin', stepUp: true, status: 201, ...more };
}

/** Routes of controls, evidence and the audit log, with a valid request for each. */
export const assuranceRoutes: readonly DashboardRoute[] = [
  reads(`${organization}/controls`),
  reads(control),
  operates(`${control}/note`, { body: () => ({ note: 'See policy 3.' }), status: 200 }),
  operates(`${control}/attestations`, {
    body: () => ({ statement: 'In place.', valid_until: inAnHour() }),
  }),
  // There are no attestations yet.
  operates(`${control}/attestations/:id/withdraw`, {
    id: () => randomUUID(),
    body: () => ({ reason: 'r' }),
    status: 404,
  }),
  operates(`${control}/attestations/:id/evidence`, {
    id: () => randomUUID(),
    body: () => ({ evidence_ids: [randomUUID()] }),
    status: 404,
  }),
  reads(`${organization}/evidence`),
  operates(`${organization}/evidence/snapshots`, { body: () => ({ kind: 'controls' }) }),
  operates(`${organization}/evidence/files`, { query: 'name=a.txt', bytes: 'text' }),
  // There is no evidence yet.
  reads(`${organization}/evidence/:id/content`, { stepUp: true, id: () => randomUUID(), status: 404 }),
  operates(`${organization}/evidence/:id`, { method: 'DELETE', id: () => randomUUID(), status: 404 }),
  reads(`${organization}/audit-pack`, { access: 'admin', stepUp: true, query: period }),
  reads(`${organization}/audit`, { access: 'admin' }),
  reads(`${organization}/audit/export`, { access: 'admin', stepUp: true, query: 'format=csv' }),
  reads(`${organization}/audit/verification`, { access: 'admin' }),
];
