import { type ReactNode, useState } from 'react';
import { QuietButton } from '../../components/quiet-button.tsx';
import { counted } from '../../formats/numbers.ts';

interface Props {
  /** In the singular: `attestation`. */
  readonly what: string;
  readonly count: number;
  readonly children: ReactNode;
}

/** Earlier versions, which are hidden at first. */
export function Earlier({ what, count, children }: Props) {
  const [shown, setShown] = useState(false);
  if (count === 0) return null;
  return (
    <>
      <QuietButton onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'} {counted(count, `earlier ${what}`)}
      </QuietButton>
      {shown && children}
    </>
  );
}
