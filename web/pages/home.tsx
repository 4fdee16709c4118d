import { Button } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { Navigate, useSearchParams } from 'react-router';
import { useSession, useSignOut } from '../api/session.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { lastOrganization } from '../layout/last-organization.ts';
import { SignedIn } from '../layout/signed-in.tsx';
import { paths } from '../paths.ts';

/** Redirects to the last open organization. */
export function Home() {
  return (
    <SignedIn>
      <ToOrganization />
    </SignedIn>
  );
}

function ToOrganization() {
  const { organizations, invitations, person } = useSession();
  const [query] = useSearchParams();
  const signOut = useSignOut();
  const last = lastOrganization();
  if (invitations.length > 0 && !query.has('later')) return <Navigate to={paths.invitations} replace />;
  const organization = organizations.find(({ id }) => id === last) ?? organizations[0];
  if (organization) return <Navigate to={paths.section(organization.id, 'overview')} replace />;
  return (
    <main>
      <EmptyState
        icon={IconBuilding}
        title="You aren't in an organization yet"
        order={1}
        action={
          <Button variant="default" onClick={() => signOut.mutate()}>
            Sign out
          </Button>
        }
      >
        You're signed in as {person?.email}. Ask an owner or admin for an invitation, then open its link here.
      </EmptyState>
    </main>
  );
}
