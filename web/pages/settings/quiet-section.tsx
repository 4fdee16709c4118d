import { Button, Checkbox, Group, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import type { SavePreferences } from '../../../src/contract/dashboard/notifications.ts';
import { useSavePreferences } from '../../api/notifications.ts';
import { notify } from '../../components/notify.ts';
import { Section } from '../../components/section.tsx';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { minutesOf, timeOf } from './quiet-times.ts';
import { TimeZoneField } from './time-zone-field.tsx';

const usual = { from: 20 * 60, until: 7 * 60, except_critical: true };

/** When the person gets nothing, in all organizations. */
export function QuietSection({ preferences }: { readonly preferences: SavePreferences }) {
  const [zone, setZone] = useState(preferences.time_zone);
  const [quiet, setQuiet] = useState(preferences.quiet_hours);
  const save = useSavePreferences();
  const body = { time_zone: zone, quiet_hours: quiet };
  const isSaved = JSON.stringify(preferences) === JSON.stringify(body);
  return (
    <Section
      title="Time zone and quiet hours"
      description="Messages wait until quiet hours end. Applies to all your organizations."
    >
      <form
        onSubmit={handleSubmit(() => save.mutate(body, { onSuccess: () => notify('Quiet hours saved') }))}
      >
        <Stack gap="md">
          <TimeZoneField value={zone} onChange={setZone} error={save.error} />
          <Switch
            label="Quiet hours"
            checked={quiet !== null}
            onChange={event => setQuiet(event.currentTarget.checked ? usual : null)}
          />
          {quiet && (
            <>
              <Group gap="sm">
                <TextField
                  label="From"
                  type="time"
                  required
                  value={timeOf(quiet.from)}
                  onChange={from => setQuiet({ ...quiet, from: minutesOf(from) })}
                />
                <TextField
                  label="Until"
                  type="time"
                  required
                  value={timeOf(quiet.until)}
                  onChange={until => setQuiet({ ...quiet, until: minutesOf(until) })}
                />
              </Group>
              <Checkbox
                label="Send new critical findings at once all the same"
                checked={quiet.except_critical}
                onChange={event => setQuiet({ ...quiet, except_critical: event.currentTarget.checked })}
              />
            </>
          )}
          <FormError error={save.error} />
          <Button type="submit" w="fit-content" variant="default" loading={save.isPending} disabled={isSaved}>
            Save time zone and quiet hours
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
