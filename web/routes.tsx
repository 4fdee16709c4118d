import { type ComponentType, lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { OrganizationLayout } from './layout/organization-layout.tsx';
import { Home } from './pages/home.tsx';
import { NotFound } from './pages/not-found.tsx';

type Page = () => Promise<{ default: ComponentType }>;

/** Pages of an organization, below `/o/<organization>/`. Each is loaded when it is first opened. */
const organizationPages: readonly [path: string, page: Page][] = [];

const pages = organizationPages.map(([path, page]) => [path, lazy(page)] as const);

export function AppRoutes() {
  return (
    <Routes>
      <Route index element={<Home />} />
      <Route path="o/:organizationId" element={<OrganizationLayout />}>
        <Route index element={<Navigate to="overview" replace />} />
        {pages.map(([path, Page]) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Route>
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
