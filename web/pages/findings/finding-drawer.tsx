import { useFinding } from '../../api/findings.ts';
import { DetailDrawer } from '../../components/detail-drawer.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { FindingDetails } from './finding-details.tsx';

interface Props {
  readonly findingId: string | undefined;
  readonly onClose: () => void;
}

/** One finding, beside the list. */
export function FindingDrawer({ findingId, onClose }: Props) {
  return (
    <DetailDrawer opened={findingId !== undefined} onClose={onClose} title="Finding">
      {findingId && <Content key={findingId} findingId={findingId} />}
    </DetailDrawer>
  );
}

function Content({ findingId }: { readonly findingId: string }) {
  const finding = useFinding(findingId);
  return (
    <Loaded query={finding} skeleton={<CardSkeleton height={480} />}>
      {data => <FindingDetails finding={data} />}
    </Loaded>
  );
}
