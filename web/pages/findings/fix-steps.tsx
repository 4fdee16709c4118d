import { Code, Group, Stack, Text } from '@mantine/core';
import { CodeText } from '../../components/code-text.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import classes from './findings.module.css';
import { leadingCode, partsOfFix } from './fix.ts';

/** What to do, with what to write in the products that it names. */
export function FixSteps({ remediation }: { readonly remediation: string }) {
  const { general, stacks } = partsOfFix(remediation);
  return (
    <Stack gap="sm">
      {general && <CodeText>{general}</CodeText>}
      {stacks.map(({ name, text }) => {
        const { code, rest } = leadingCode(text);
        return (
          <Stack key={name} gap={4}>
            <Text fw={600} size="sm">
              {name}
            </Text>
            {code && (
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Code block className={classes.code ?? ''}>
                  {code}
                </Code>
                <CopyButton value={code} what={`for ${name}`} />
              </Group>
            )}
            {rest && <CodeText>{rest}</CodeText>}
          </Stack>
        );
      })}
    </Stack>
  );
}
