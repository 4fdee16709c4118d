import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { useSession } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { SignedIn } from '../../layout/signed-in.tsx';
import { paths } from '../../paths.ts';
import { Enrolment } from './enrolment.tsx';
import { Entrance } from './entrance.tsx';
import { OpenInvitations } from './open-invitations.tsx';

/** What waits for an answer of the person: nothing is joined unasked. */
export default function InvitationsPage() {
  return (
    <SignedIn>
      <Answer />
    </SignedIn>
  );
}

function Answer() {
  const { person, invitations } = useSession();
  const navigate = useNavigate();
  const [enrolling, setEnrolling] = useState(false);
  const home = () => void navigate(paths.home, { replace: true });
  if (enrolling) {
    return <Enrolment onDone={() => setEnrolling(false)} onLeave={() => setEnrolling(false)} />;
  }
  if (invitations.length === 0) return <Navigate to={paths.home} replace />;
  return (
    <Entrance title="Invitations" description={`For ${person?.email}`}>
      <OpenInvitations onEnrol={() => setEnrolling(true)} onAccepted={home} />
      <QuietButton mt="lg" onClick={() => void navigate(`${paths.home}?later`, { replace: true })}>
        Not now
      </QuietButton>
    </Entrance>
  );
}
