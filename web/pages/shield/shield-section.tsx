import { Button, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { ownSurfaceOf } from '../../../src/contract/dashboard/own-checks.ts';
import type { ShieldPeriod } from '../../../src/contract/dashboard/shield.ts';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { useShield, useTurnShield } from '../../api/shield.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { notify } from '../../components/notify.ts';
import { Section } from '../../components/section.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { ShieldReport } from './shield-report.tsx';
import { ShieldSetup, ShieldWaiting } from './shield-setup.tsx';
import { ShieldState } from './shield-state.tsx';

const periods = [
  { value: '1', label: '24 hours' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const satisfies readonly { value: `${ShieldPeriod}`; label: string }[];

function CountedFor({ id, name }: { readonly id: string; readonly name: string }) {
  const to = useOrganizationPaths();
  return (
    <Text size="sm" mb="sm">
      Firewalls report host names without ports and schemes. Requests for this host are counted for{' '}
      <TextLink to={to.object('sources', id)} underline="always">
        {name}
      </TextLink>
      , the oldest source with this host and Shield on.
    </Text>
  );
}

/** Whether a probe or the service scans the source. Only these checks need no request to it. */
const isScanned = ({ assessments }: SourceDetail) =>
  assessments.some(({ check }) => ownSurfaceOf(check) === undefined);

/** What the web application firewall in front of a website reports. */
export function ShieldSection({ source }: { readonly source: SourceDetail }) {
  const { canOperate } = useOrganization();
  const [days, setDays] = useState<`${ShieldPeriod}`>('7');
  const shield = useShield(source.id, days);
  const turn = useTurnShield();
  const [turningOff, setTurningOff] = useState(false);
  const isOn = shield.data !== undefined && shield.data.state !== 'off';
  const change = async (on: boolean) => {
    await turn.mutateAsync({ id: source.id, on });
    notify(on ? 'Shield turned on' : 'Shield turned off');
  };
  return (
    <Section
      title="Shield"
      description={
        shield.data?.state === 'off'
          ? 'Off. Turn on Shield to see what the firewall in front of this website blocks and detects.'
          : shield.data && <ShieldState {...shield.data} />
      }
      actions={
        canOperate &&
        shield.data && (
          <Button
            variant={isOn ? 'default' : 'filled'}
            loading={turn.isPending}
            onClick={() => (isOn ? setTurningOff(true) : void change(true).catch(() => {}))}
          >
            {isOn ? 'Turn off Shield' : 'Turn on Shield'}
          </Button>
        )
      }
    >
      {!isOn && <FormError error={turn.error} />}
      <ConfirmDialog
        opened={turningOff}
        onClose={() => setTurningOff(false)}
        title={`Turn off Shield for ${source.name}?`}
        confirmLabel="Turn off Shield"
        danger
        onConfirm={() => change(false)}
      >
        Requests that the firewall blocks or detects until you turn it on again are not counted. Findings and
        counts are kept.
      </ConfirmDialog>
      <Loaded query={shield} skeleton={<CardSkeleton height={200} />}>
        {data => (
          <>
            {data.state === 'off' && !canOperate && <Text size="sm">An admin can turn on Shield.</Text>}
            {data.counted_for && <CountedFor {...data.counted_for} />}
            {data.state === 'waiting' &&
              !data.counted_for &&
              (data.recorded ? (
                <ShieldWaiting host={source.host} {...data} />
              ) : (
                <ShieldSetup host={source.host} />
              ))}
            {data.state !== 'off' && (data.state !== 'waiting' || data.recorded) && (
              <>
                <SegmentedControl
                  aria-label="Period"
                  size="xs"
                  mb="sm"
                  data={[...periods]}
                  value={days}
                  onChange={value => setDays(value as typeof days)}
                />
                <ShieldReport shield={data} scanned={isScanned(source)} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
