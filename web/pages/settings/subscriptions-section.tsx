import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Notifications, PreviewMessage } from '../../../src/contract/dashboard/notifications.ts';
import { useSaveNotifications } from '../../api/notifications.ts';
import { useViews } from '../../api/views.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { notify } from '../../components/notify.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { laterPart } from '../../later/later.ts';
import { NotificationChoices } from './notification-choices.tsx';

const PreviewDialog = laterPart(() => import('./preview-dialog.tsx'));

/** What the person wants to know of the organization. */
export function SubscriptionsSection({ notifications }: { readonly notifications: Notifications }) {
  const { settings, defaults, next_digest_at } = notifications;
  const [chosen, setChosen] = useState(settings ?? defaults);
  const [preview, setPreview] = useState<PreviewMessage['purpose']>();
  const save = useSaveNotifications();
  const isSaved = settings !== null && JSON.stringify(settings) === JSON.stringify(chosen);
  return (
    <Section
      title="What you get"
      description={settings === null ? 'Nothing is sent until you save these settings.' : undefined}
    >
      <form
        onSubmit={handleSubmit(() =>
          save.mutate(chosen, { onSuccess: () => notify('Notification settings saved') }),
        )}
      >
        <Stack gap="md">
          <NotificationChoices value={chosen} onChange={setChosen} kinds={defaults.kinds} />
          {next_digest_at !== null && (
            <Dimmed>
              Next summary: <RelativeTime at={next_digest_at} />
            </Dimmed>
          )}
          <Views value={chosen.view_ids} onChange={view_ids => setChosen({ ...chosen, view_ids })} />
          <FormError error={save.error} />
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={isSaved}>
              {settings === null ? 'Turn on notifications' : 'Save settings'}
            </Button>
            <Button variant="default" onClick={() => setPreview('alert')}>
              Preview alert
            </Button>
            <Button variant="default" onClick={() => setPreview('digest')}>
              Preview summary
            </Button>
          </Group>
        </Stack>
      </form>
      {preview && <PreviewDialog purpose={preview} onClose={() => setPreview(undefined)} />}
    </Section>
  );
}

interface ViewsProps {
  readonly value: readonly string[];
  readonly onChange: (ids: string[]) => void;
}

/** Saved views whose new findings the person gets, whatever their severity. */
function Views({ value, onChange }: ViewsProps) {
  const views = useViews();
  const all = views.data?.views ?? [];
  if (all.length === 0) return null;
  return (
    <Checkbox.Group
      label="New findings in saved views"
      description="Sent at once, whatever their severity."
      value={[...value]}
      onChange={onChange}
    >
      <Stack gap="sm" mt="xs">
        {all.map(({ id, name, mine, by }) => (
          <Checkbox
            key={id}
            value={id}
            label={name}
            {...(mine ? {} : { description: `Shared by ${by ?? 'a former member'}` })}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
