import { Button, Stack } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { usePeople } from '../../api/people.ts';
import { useOrganization } from '../../api/session.ts';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { InvitationsTable } from './invitations-table.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PeopleTable } from './people-table.tsx';

export default function PeoplePage() {
  const { name, canOperate } = useOrganization();
  const people = usePeople();
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader
        title="People"
        description={`Members of ${name} and their roles.`}
        actions={
          canOperate && (
            <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
              Invite people
            </Button>
          )
        }
      />
      <Loaded query={people}>
        {data => (
          <Stack gap="xl">
            <PeopleTable people={data.people} />
            {canOperate && <InvitationsTable invitations={data.invitations} />}
          </Stack>
        )}
      </Loaded>
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} />
    </>
  );
}
