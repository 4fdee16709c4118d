import { Button } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { useOrganizationPaths } from '../../paths.ts';

export function NoEvents({ filtered }: { readonly filtered: boolean }) {
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  if (filtered) return <NoMatches what="events">Choose a longer period or remove a filter.</NoMatches>;
  return (
    <EmptyState
      icon={IconActivity}
      title="No events in the last 7 days"
      action={
        canOperate && (
          <Button component={Link} to={to.section('settings/keys')} variant="default">
            Create probe key
          </Button>
        )
      }
    >
      Events from probes in your network and from Shield in front of your applications appear here. To send
      them, create a probe key for a system.
    </EmptyState>
  );
}
