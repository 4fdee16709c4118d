import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigationType, useParams } from 'react-router';
import { OrganizationContext, useSession } from '../api/session.ts';
import { PageSkeleton } from '../components/loading.tsx';
import { StepUp } from '../forms/step-up.tsx';
import { NotFoundOutside } from '../pages/not-found.tsx';
import { BottomNavigation } from './bottom-navigation.tsx';
import { Header } from './header.tsx';
import { rememberOrganization } from './last-organization.ts';
import classes from './layout.module.css';
import { PageBoundary } from './page-boundary.tsx';
import { SideNavigation } from './side-navigation.tsx';
import { SignedIn } from './signed-in.tsx';
import { useRestoredScroll } from './use-restored-scroll.ts';

const NavigationDrawer = lazy(() => import('./navigation-drawer.tsx'));

/** The header and navigation around every page of an organization. */
export function OrganizationLayout() {
  return (
    <SignedIn>
      <Frame />
    </SignedIn>
  );
}

function Frame() {
  const { organizationId } = useParams();
  const { organizations } = useSession();
  const organization = organizations.find(({ id }) => id === organizationId);
  const [menu, { open, close }] = useDisclosure(false);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useFocusOnNavigation(main, pathname);
  useRestoredScroll();
  useEffect(() => {
    if (organization) rememberOrganization(organization.id);
  }, [organization]);
  if (!organization) return <NotFoundOutside />;
  return (
    <OrganizationContext value={organization}>
      <button type="button" className="skip-link" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div className={classes.shell}>
        <Header onMenu={open} />
        <div className={classes.side}>
          <SideNavigation />
        </div>
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          <PageBoundary key={pathname}>
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
            </Suspense>
          </PageBoundary>
        </main>
        <BottomNavigation onMore={open} />
      </div>
      {menu && (
        <Suspense>
          <NavigationDrawer onClose={close} />
        </Suspense>
      )}
      <StepUp />
    </OrganizationContext>
  );
}

/** After a link, screen readers announce the new page and the keyboard continues at its top. */
function useFocusOnNavigation(main: React.RefObject<HTMLElement | null>, pathname: string): void {
  const shown = useRef(pathname);
  const isReturn = useNavigationType() === 'POP';
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    if (!isReturn) scrollTo(0, 0);
  }, [main, pathname, isReturn]);
}
