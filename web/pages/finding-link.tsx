import { Navigate, useParams } from 'react-router';
import { useOrganizationOfFinding } from '../api/findings.ts';
import { Loaded, PageSkeleton } from '../components/loading.tsx';
import { SignedIn } from '../layout/signed-in.tsx';
import { paths } from '../paths.ts';
import { NotFoundOutside } from './not-found.tsx';

/** Opens a finding in its organization: reports of `parapet scan` link to findings, and clients know no organization. */
export function FindingLink() {
  return (
    <SignedIn>
      <ToFinding />
    </SignedIn>
  );
}

function ToFinding() {
  const { findingId = '' } = useParams();
  const organization = useOrganizationOfFinding(findingId);
  return (
    <Loaded query={organization} skeleton={<PageSkeleton />}>
      {id =>
        id === null ? (
          <NotFoundOutside />
        ) : (
          <Navigate to={paths.section(id, 'findings', { finding: findingId })} replace />
        )
      }
    </Loaded>
  );
}
