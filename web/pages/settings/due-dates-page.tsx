import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { dueDays } from '../../../src/contract/dashboard/finding-limits.ts';
import type { DuePolicy, DuePolicyState } from '../../../src/contract/dashboard/finding-work.ts';
import { useChangeDuePolicy, useDuePolicy } from '../../api/finding-work.ts';
import { useOrganization } from '../../api/session.ts';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { counted } from '../../formats/numbers.ts';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useOrganizationPaths } from '../../paths.ts';

const severities = ['critical', 'high', 'medium', 'low'] as const;

/** How long the organization gives itself to fix findings. */
export default function DueDatesPage() {
  const policy = useDuePolicy();
  return (
    <>
      <PageHeader title="Due dates" description="When open findings are due, by severity." />
      <Loaded query={policy} skeleton={<CardSkeleton height={360} />}>
        {state => <Policy state={state} />}
      </Loaded>
    </>
  );
}

function Policy({ state }: { readonly state: DuePolicyState }) {
  const { canOperate } = useOrganization();
  const to = useOrganizationPaths();
  const change = useChangeDuePolicy();
  const [policy, setPolicy] = useState<DuePolicy>(state.policy);
  const isChanged = severities.some(severity => policy[severity] !== state.policy[severity]);
  return (
    <Section
      title="Policy"
      description="Days are counted in UTC from when a scan first detected the problem, or detected it again. A change applies to all open findings at once, except those with a due date of their own."
      actions={
        <TextLink to={to.section('findings', { due: 'overdue' })}>
          {counted(state.overdue, 'finding')} overdue
        </TextLink>
      }
    >
      <form
        noValidate
        onSubmit={handleSubmit(() => change.mutate(policy, { onSuccess: () => notify('Due dates changed') }))}
      >
        <Stack maw={420}>
          {severities.map(severity => (
            <TextField
              key={severity}
              label={
                <>
                  <SeverityBadge severity={severity} />
                  <span className="visually-hidden">, days</span>
                </>
              }
              type="number"
              placeholder="No due date"
              min={dueDays.least}
              max={dueDays.most}
              rightSection={policy[severity] === null ? null : 'days'}
              rightSectionWidth={64}
              disabled={!canOperate}
              value={policy[severity] === null ? '' : String(policy[severity])}
              onChange={days => setPolicy({ ...policy, [severity]: days === '' ? null : Number(days) })}
              path={severity}
              error={change.error}
            />
          ))}
          <Text size="sm" c="dimmed">
            From {dueDays.least} to {dueDays.most} days. Leave a field empty for no due date. Info findings
            are never due.
          </Text>
          <FormError error={change.error} />
          {canOperate && (
            <div>
              <Button type="submit" loading={change.isPending} disabled={!isChanged}>
                Save due dates
              </Button>
            </div>
          )}
        </Stack>
      </form>
    </Section>
  );
}
