import { Code, Text } from '@mantine/core';

/** Text with code between backticks. */
export function CodeText({ children }: { readonly children: string }) {
  const parts = children.split('`');
  return (
    <Text component="p" m={0}>
      {parts.map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
        index % 2 === 1 ? <Code key={index}>{part}</Code> : part,
      )}
    </Text>
  );
}
