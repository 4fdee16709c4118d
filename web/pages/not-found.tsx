import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { paths } from '../paths.ts';

export function NotFound() {
  return (
    <EmptyState
      icon={IconMapOff}
      title="Page not found"
      order={1}
      action={
        <Button component={Link} to={paths.home} variant="default">
          Go to overview
        </Button>
      }
    >
      Check the address. You may also lack access to this page or its organization.
    </EmptyState>
  );
}

/** The same outside of an organization, without its header and navigation. */
export function NotFoundOutside() {
  return (
    <main>
      <NotFound />
    </main>
  );
}
