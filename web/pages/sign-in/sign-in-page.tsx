import { useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import type { SecondFactor, Session } from '../../../src/contract/dashboard/session.ts';
import { useSession, useSessionMutation, useSignOut } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { SecondFactorForm } from '../../forms/second-factor-form.tsx';
import { safeReturnPath } from '../../paths.ts';
import { Enrollment } from './enrollment.tsx';
import { Entrance } from './entrance.tsx';
import { PasswordForm } from './password-form.tsx';

/** The next step of signing in: password, second factor, or setting one up. */
export default function SignInPage() {
  const session = useSession();
  const [query] = useSearchParams();
  const { hash } = useLocation();
  // Kept here, since the session counts as signed in before the backup codes are saved.
  const [enrolling, setEnrolling] = useState(false);
  if (session.state === 'enrolment' && !enrolling) setEnrolling(true);
  const end = () => setEnrolling(false);
  if (enrolling) return <Enrollment onDone={end} onSignedOut={end} />;
  // The fragment is this page's own: it may contain the token of a link.
  if (session.state === 'signed_in')
    return <Navigate to={safeReturnPath(query.get('next')) + hash} replace />;
  if (session.state === 'second_factor') return <SecondFactorStep session={session} />;
  return (
    <Entrance
      title="Sign in"
      description="Parapet checks your websites and databases for weaknesses, and shows what to fix first."
    >
      <PasswordForm problem={query.get('problem')} />
    </Entrance>
  );
}

function SecondFactorStep({ session }: { readonly session: Session }) {
  const confirm = useSessionMutation<SecondFactor>('/second-factor');
  const signOut = useSignOut();
  return (
    <Entrance title="Confirm it's you" description={`Enter a second factor for ${session.person?.email}.`}>
      <SecondFactorForm factors={session.second_factors} onSubmit={confirm.mutateAsync} />
      <QuietButton mt="lg" onClick={() => signOut.mutate()}>
        Use a different account
      </QuietButton>
    </Entrance>
  );
}
