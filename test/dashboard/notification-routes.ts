import type { DashboardFixture, DashboardRoute } from './routes.ts';

const organization = '/organizations/:organization';
const choices = { kinds: ['new_findings', 'scan_failed'], severity: 'high', digest: 'daily' };
const channel = () => ({
  ...choices,
  name: 'Security',
  format: 'slack',
  time_zone: 'Europe/Berlin',
  url: 'https://hooks.slack.example/services/T0/B0/secret',
});
const channelId = (fixture: DashboardFixture) => fixture.channelId;

/** Routes of notifications, with a valid request for each. */
export const notificationRoutes: readonly DashboardRoute[] = [
  { method: 'GET', pattern: `${organization}/notifications`, access: 'member', status: 200 },
  {
    method: 'PUT',
    pattern: `${organization}/notifications`,
    access: 'member',
    status: 200,
    body: ({ viewId }) => ({ ...choices, view_ids: [viewId] }),
    bodyNamesObject: true,
  },
  {
    method: 'POST',
    pattern: `${organization}/notifications/test`,
    access: 'member',
    status: 400,
    body: () => ({}),
  },
  {
    method: 'POST',
    pattern: `${organization}/notifications/code`,
    access: 'member',
    status: 202,
    body: () => ({}),
  },
  {
    method: 'POST',
    pattern: `${organization}/notifications/confirm`,
    access: 'member',
    status: 400,
    body: () => ({ code: '000000' }),
  },
  {
    method: 'GET',
    pattern: `${organization}/notifications/preview`,
    access: 'member',
    status: 200,
    query: 'purpose=digest',
  },
  {
    method: 'GET',
    pattern: `${organization}/notifications/preview/html`,
    access: 'member',
    status: 200,
    query: 'purpose=alert',
  },
  {
    method: 'PUT',
    pattern: '/account/preferences',
    access: 'person',
    status: 200,
    body: () => ({
      time_zone: 'Asia/Tokyo',
      quiet_hours: { from: 1320, until: 420, except_critical: true },
    }),
  },
  {
    method: 'POST',
    pattern: '/unsubscribe',
    access: 'anyone',
    status: 400,
    body: () => ({ token: 'A'.repeat(43) }),
  },
  {
    method: 'POST',
    pattern: '/unsubscribe/:token',
    access: 'anyone',
    status: 400,
  },
  { method: 'GET', pattern: `${organization}/channels`, access: 'admin', status: 200 },
  {
    method: 'POST',
    pattern: `${organization}/channels`,
    access: 'admin',
    stepUp: true,
    status: 201,
    body: channel,
  },
  {
    method: 'PUT',
    pattern: `${organization}/channels/:id`,
    access: 'admin',
    stepUp: true,
    status: 200,
    id: channelId,
    body: channel,
  },
  {
    method: 'POST',
    pattern: `${organization}/channels/:id/test`,
    access: 'admin',
    status: 202,
    id: channelId,
    body: () => ({}),
  },
  {
    method: 'DELETE',
    pattern: `${organization}/channels/:id`,
    access: 'admin',
    stepUp: true,
    status: 200,
    id: channelId,
  },
];
