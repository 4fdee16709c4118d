import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { useSession } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { SignedIn } from '../../layout/signed-in.tsx';
import { paths } from '../../paths.ts';
import { Enrollment } from './enrollment.tsx';
import { Entrance } from './entrance.tsx';
import { OpenInvitations } from './open-invitations.tsx';

/** Lists the person's open invitations after sign-in. */
export default function InvitationsPage() {
  return (
    <SignedIn>
      <Invitations />
    </SignedIn>
  );
}

function Invitations() {
  const { person, invitations } = useSession();
  const navigate = useNavigate();
  const [enrolling, setEnrolling] = useState(false);
  const goHome = () => void navigate(paths.home, { replace: true });
  const end = () => setEnrolling(false);
  if (enrolling) return <Enrollment onDone={end} onSignedOut={end} />;
  if (invitations.length === 0) return <Navigate to={paths.home} replace />;
  return (
    <Entrance title="Invitations" description={`For ${person?.email}`}>
      <OpenInvitations onEnroll={() => setEnrolling(true)} onAccepted={goHome} />
      <QuietButton mt="lg" onClick={() => void navigate(`${paths.home}?later`, { replace: true })}>
        Not now
      </QuietButton>
    </Entrance>
  );
}
