import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { RiskStatements } from '../../../src/contract/dashboard/probes.ts';
import { ApiError } from '../../api/api-error.ts';
import { useInvalidate } from '../../api/organization-mutation.ts';
import { useAddProbe } from '../../api/probes.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { Section } from '../../components/section.tsx';
import { fieldError } from '../../forms/error-messages.ts';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { SystemField } from '../../forms/system-field.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { kindLabels } from '../sources/source-labels.ts';
import classes from '../sources/sources.module.css';
import { tidyHost } from '../sources/tidy-host.ts';
import { ExistingSources } from './existing-sources.tsx';
import { type Added, targetNames } from './probe-block.ts';
import { draftTarget, type TargetDraft } from './target-draft.ts';
import { TargetFields } from './target-fields.tsx';

interface Props {
  readonly systemId: string | null;
  /** A source to start with. */
  readonly sourceId: string | undefined;
  readonly statements: RiskStatements['risk_statements'];
  readonly onSystem: (id: string | null) => void;
  readonly onAdded: (added: Added) => void;
}

const isOutdated = (error: Error | null) =>
  error instanceof ApiError && error.code === 'risk_statement_outdated';

/** What a probe will assess, and the acceptance of its risks. */
export function NewProbeForm({ systemId, sourceId, statements, onSystem, onAdded }: Props) {
  const add = useAddProbe();
  const reload = useInvalidate();
  const name = useField('name');
  const [drafts, setDrafts] = useState<readonly TargetDraft[]>([]);
  /** The statements that were shown when the person approved: others need a new approval. */
  const [approvedTexts, setApprovedTexts] = useState<string>();
  const { error } = add;
  const kinds = new Set(drafts.map(({ kind }) => kind));
  const news = drafts.filter(draft => draft.sourceId === undefined);
  const shown = statements.filter(({ kind }) => kinds.has(kind));
  const shownTexts = JSON.stringify(shown);
  const approved = approvedTexts === shownTexts;
  const outdated = isOutdated(error);
  const submit = () => {
    const body = {
      systemId: systemId!,
      name: name.value,
      sources: drafts.flatMap(draft => draft.sourceId ?? []),
      new_sources: news.map(({ kind, name, host }) => ({ kind, name, host: tidyHost(kind, host).host })),
      statement_versions: Object.fromEntries(shown.map(({ kind, version }) => [kind, version])),
    };
    add.mutate(body, {
      onError: failure => {
        if (!isOutdated(failure)) return;
        setApprovedTexts(undefined);
        reload('risk-statements');
      },
      onSuccess: ({ sources, key }) => {
        // New sources come last, in the order in which they were sent.
        const created = sources.slice(sources.length - news.length);
        const unique = targetNames(drafts.map(draft => draft.name));
        const targets = drafts.map(({ user, database, tls, sourceId }, index) => {
          const source = sources.find(({ id }) => id === sourceId) ?? created[news.indexOf(drafts[index]!)]!;
          const { id, kind, host } = source;
          return { name: unique[index]!, kind, sourceId: id, host, user, database, tls };
        });
        onAdded({ name: name.value, systemId: systemId!, targets, key });
      },
    });
  };
  const change = (key: string, changes: Partial<TargetDraft>) =>
    setDrafts(before => before.map(draft => (draft.key === key ? { ...draft, ...changes } : draft)));
  return (
    <form onSubmit={handleSubmit(submit)}>
      <Stack>
        <Section title="Probe">
          <Stack maw={640}>
            <SystemField
              description="The system that its sources belong to"
              value={systemId}
              error={null}
              onChange={id => {
                setDrafts([]);
                onSystem(id);
              }}
            />
            <TextField
              label="Name of the probe"
              description="Lowercase letters, digits and hyphens, such as “office” or “eu-west-1”"
              required
              maxLength={63}
              autoCapitalize="none"
              spellCheck={false}
              error={error}
              {...name}
            />
          </Stack>
        </Section>
        <Section title="Targets" description="What the probe assesses. Each one is a source in probe mode.">
          <Stack>
            {systemId && (
              <ExistingSources
                key={systemId}
                systemId={systemId}
                preselected={sourceId}
                drafts={drafts}
                onChange={setDrafts}
              />
            )}
            {drafts.map(draft => (
              <TargetFields
                key={draft.key}
                draft={draft}
                path={`new_sources.${news.indexOf(draft)}`}
                error={error}
                onChange={changes => change(draft.key, changes)}
                onRemove={() => setDrafts(before => before.filter(({ key }) => key !== draft.key))}
              />
            ))}
            <Button
              variant="default"
              w="fit-content"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setDrafts(before => [...before, draftTarget()])}
            >
              Add a target
            </Button>
            {fieldError(error, 'sources') && (
              <Text size="sm" c="red" role="alert">
                Targets: {fieldError(error, 'sources')}
              </Text>
            )}
          </Stack>
        </Section>
        {shown.length > 0 && (
          <Section title="Risk" description="You accept this for every target, and authorize its scans.">
            <Stack gap="sm">
              {shown.map(({ kind, text }) => (
                <Stack key={kind} gap={4}>
                  <Text fw={600} size="sm">
                    {kindLabels[kind]}
                  </Text>
                  <blockquote className={classes.statement}>{text}</blockquote>
                </Stack>
              ))}
              <Checkbox
                label="I'm authorized to approve this"
                checked={approved}
                onChange={event => setApprovedTexts(event.currentTarget.checked ? shownTexts : undefined)}
              />
              {outdated && (
                <Alert color="orange" variant="light" title="A risk statement has changed" role="alert">
                  Read the current one above, then accept it.
                </Alert>
              )}
            </Stack>
          </Section>
        )}
        {!outdated && <FormError error={error} />}
        <Group gap="xs">
          <Button
            type="submit"
            loading={add.isPending}
            disabled={!systemId || drafts.length === 0 || !approved}
          >
            Add probe
          </Button>
          <Dimmed>
            Next: the commands that start it. You'll be asked to confirm it's you, unless you did so in the
            last five minutes.
          </Dimmed>
        </Group>
      </Stack>
    </form>
  );
}
