import { type ComponentType, lazy, useState } from 'react';
import { matchPath, Navigate, Route, Routes } from 'react-router';
import { basePath } from './deployment.ts';
import { EntranceGate } from './layout/entrance-gate.tsx';
import { OrganizationLayout } from './layout/organization-layout.tsx';
import { FindingLink } from './pages/finding-link.tsx';
import { Home } from './pages/home.tsx';
import { NotFound, NotFoundOutside } from './pages/not-found.tsx';
import { paths } from './paths.ts';

type Page = () => Promise<{ default: ComponentType }>;

/** Pages that are loaded. React delays one from `lazy` by 300 ms, even if its code is already loaded. */
const loaded = new Map<Page, ComponentType>();

async function load(page: Page) {
  const module = await page();
  loaded.set(page, module.default);
  return module;
}

/** Pages for people who are not signed in. */
const entrancePages: readonly [path: string, page: Page][] = [
  [paths.signIn, () => import('./pages/sign-in/sign-in-page.tsx')],
  [paths.setUp, () => import('./pages/sign-in/set-up-page.tsx')],
  [paths.invitation, () => import('./pages/sign-in/invitation-page.tsx')],
  [paths.invitations, () => import('./pages/sign-in/invitations-page.tsx')],
  [paths.provider, () => import('./pages/sign-in/provider-page.tsx')],
  [paths.passwordReset, () => import('./pages/sign-in/password-reset-page.tsx')],
  [paths.unsubscribe, () => import('./pages/sign-in/unsubscribe-page.tsx')],
];

/** Pages of an organization, below `/o/<organization>/`. Each loads when it is first opened. */
const organizationPages: readonly [path: string, page: Page][] = [
  ['overview', () => import('./pages/overview/overview-page.tsx')],
  ['findings', () => import('./pages/findings/findings-page.tsx')],
  ['systems', () => import('./pages/systems/systems-page.tsx')],
  ['sources', () => import('./pages/sources/sources-page.tsx')],
  ['sources/new', () => import('./pages/sources/new-source-page.tsx')],
  ['sources/:sourceId', () => import('./pages/sources/source-page.tsx')],
  ['probes', () => import('./pages/probes/probes-page.tsx')],
  ['probes/new', () => import('./pages/probes/new-probe-page.tsx')],
  ['probes/:probeId', () => import('./pages/probes/probe-page.tsx')],
  ['scans', () => import('./pages/scans/scans-page.tsx')],
  ['scans/:scanId', () => import('./pages/scans/scan-page.tsx')],
  ['events', () => import('./pages/events/events-page.tsx')],
  ['shield', () => import('./pages/shield/shield-page.tsx')],
  ['controls', () => import('./pages/controls/controls-page.tsx')],
  ['evidence', () => import('./pages/evidence/evidence-page.tsx')],
  ['audit', () => import('./pages/audit/audit-page.tsx')],
  ['settings/channels', () => import('./pages/settings/channels-page.tsx')],
  ['settings/keys', () => import('./pages/settings/keys-page.tsx')],
  ['settings/notifications', () => import('./pages/settings/notifications-page.tsx')],
  ['settings/people', () => import('./pages/settings/people-page.tsx')],
  ['settings/due-dates', () => import('./pages/settings/due-dates-page.tsx')],
  ['settings/security', () => import('./pages/settings/security-page.tsx')],
];

// The requested page, or the sign-in to which it redirects, loads in parallel with the session.
const path = location.pathname.slice(basePath.length - 1);
const [, opened] =
  entrancePages.find(([pattern]) => pattern === path) ??
  (document.querySelector('#early.entrance')
    ? entrancePages.find(([pattern]) => pattern === paths.signIn)
    : organizationPages.find(([pattern]) => matchPath(`/o/:organizationId/${pattern}`, path))) ??
  [];
// If it fails, the page itself reports it.
if (opened) load(opened).catch(() => {});

const lazily = (pages: readonly [path: string, page: Page][]) =>
  pages.map(([path, page]) => {
    const Later = lazy(() => load(page));
    const Shown = () => {
      // Kept while it is shown, since another component would remount the page.
      const [Page] = useState<ComponentType>(() => loaded.get(page) ?? Later);
      return <Page />;
    };
    return <Route key={path} path={path} element={<Shown />} />;
  });
const entrances = lazily(entrancePages);
const organization = lazily(organizationPages);

export function AppRoutes() {
  return (
    <Routes>
      <Route index element={<Home />} />
      <Route element={<EntranceGate />}>{entrances}</Route>
      <Route path="findings/:findingId" element={<FindingLink />} />
      <Route path="o/:organizationId" element={<OrganizationLayout />}>
        <Route index element={<Navigate to="overview" replace />} />
        {organization}
        <Route path="*" element={<NotFound />} />
      </Route>
      <Route path="*" element={<NotFoundOutside />} />
    </Routes>
  );
}
