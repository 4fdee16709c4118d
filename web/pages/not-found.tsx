import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { paths } from '../paths.ts';

export function NotFound() {
  return (
    <EmptyState
      icon={IconMapOff}
      title="There is no such page"
      order={1}
      action={
        <Button component={Link} to={paths.home} variant="default">
          To the overview
        </Button>
      }
    >
      The address may be wrong, or belong to an organization that you are not a member of.
    </EmptyState>
  );
}

/** The same where there is no organization, and so no layout, around it. */
export function NotFoundAnywhere() {
  return (
    <main>
      <NotFound />
    </main>
  );
}
