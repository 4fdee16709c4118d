import { useState } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import type { SecondFactor, Session } from '../../../src/contract/dashboard/session.ts';
import { useSession, useSessionMutation, useSignOut } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { SecondFactorForm } from '../../forms/second-factor-form.tsx';
import { paths } from '../../paths.ts';
import { Enrolment } from './enrolment.tsx';
import { Entrance } from './entrance.tsx';
import { PasswordForm } from './password-form.tsx';

/** The way in, as far as this browser has not gone it yet: password, second factor, or setting one up. */
export default function SignInPage() {
  const session = useSession();
  const [parameters] = useSearchParams();
  const { hash } = useLocation();
  // Who sets up a second factor is signed in by it, but has backup codes to keep before going on.
  const [enrolling, setEnrolling] = useState(false);
  if (session.state === 'enrolment' && !enrolling) setEnrolling(true);
  const leave = () => setEnrolling(false);
  if (enrolling) return <Enrolment onDone={leave} onLeave={leave} />;
  if (session.state === 'signed_in') return <Navigate to={wayBack(parameters.get('next')) + hash} replace />;
  if (session.state === 'second_factor') return <SecondFactorStep session={session} />;
  return (
    <Entrance title="Sign in">
      <PasswordForm problem={parameters.get('problem')} />
    </Entrance>
  );
}

/** Where the person wanted to go: a page of ours, whatever the address says. Its fragment is the sign-in page's own. */
function wayBack(next: string | null): string {
  // Browsers leave control characters out, and take a backslash for a slash.
  return next !== null && /^\/(?![/\\\p{Cc}])/u.test(next) ? next : paths.home;
}

function SecondFactorStep({ session }: { readonly session: Session }) {
  const act = useSessionMutation<SecondFactor>('/second-factor');
  return (
    <Entrance
      title="Confirm that it is you"
      description={`The password of ${session.person?.email} was right. Now the second factor.`}
    >
      <SecondFactorForm factors={session.second_factors} onGiven={act.mutateAsync} />
      <OtherAccount />
    </Entrance>
  );
}

function OtherAccount() {
  const signOut = useSignOut();
  return (
    <QuietButton mt="lg" onClick={() => signOut.mutate()}>
      Sign in as somebody else
    </QuietButton>
  );
}
