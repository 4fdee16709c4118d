import { useControl } from '../../api/controls.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { ControlDetails } from './control-details.tsx';

interface Props {
  readonly citation: string | undefined;
  readonly onClose: () => void;
}

/** One control, beside the list. */
export function ControlDrawer({ citation, onClose }: Props) {
  return (
    <DetailDrawer opened={citation !== undefined} onClose={onClose} title={citation ?? 'Control'}>
      {citation && <Content key={citation} citation={citation} />}
    </DetailDrawer>
  );
}

function Content({ citation }: { readonly citation: string }) {
  const control = useControl(citation);
  return (
    <Loaded query={control} skeleton={<CardSkeleton height={480} />}>
      {data => <ControlDetails detail={data} />}
    </Loaded>
  );
}
