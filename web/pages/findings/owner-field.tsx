import { Group } from '@mantine/core';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { useAssign, useFindingPeople } from '../../api/finding-work.ts';
import { useSession } from '../../api/session.ts';
import { withChosen } from '../../components/choices.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { formMessage } from '../../forms/error-messages.ts';
import { Select } from '../../later/select-field.tsx';
import { mentionables } from './mention-text.ts';

/** Stands for no owner in a choice of people. */
export const noOwner = 'none';

/** The owner of a finding, who can be changed in place. */
export function OwnerField({ finding: { id, owner } }: { readonly finding: FindingDetail }) {
  const { person } = useSession();
  const people = useFindingPeople();
  const assign = useAssign();
  const choices = mentionables(people.data ?? (owner ? [owner] : [])).map(({ id: value, label }) => ({
    value,
    label,
  }));
  const change = (owner_id: string | null) => assign.mutate({ ids: [id], owner_id });
  return (
    <div>
      <Select
        label="Owner"
        searchable
        allowDeselect={false}
        disabled={assign.isPending}
        nothingFoundMessage="No member has this name"
        data={withChosen([{ value: noOwner, label: 'No owner' }, ...choices], owner?.id)}
        value={owner?.id ?? noOwner}
        onChange={value =>
          value && value !== (owner?.id ?? noOwner) && change(value === noOwner ? null : value)
        }
        error={formMessage(assign.error)}
      />
      {person && owner?.id !== person.id && (
        <Group mt={4}>
          <QuietButton onClick={() => change(person.id)}>Assign to me</QuietButton>
        </Group>
      )}
    </div>
  );
}
