import { Anchor, Code } from '@mantine/core';
import type { FindingPerson } from '../../../src/contract/dashboard/finding-work.ts';
import { type CommentPart, commentParts } from '../../../src/contract/mentions.ts';
import classes from './work.module.css';

interface Props {
  readonly body: string;
  readonly mentions: readonly FindingPerson[];
}

/** The text of a comment, with links, code and mentions. */
export function CommentBody({ body, mentions }: Props) {
  const show = (part: CommentPart) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'code':
        return <Code>{part.text}</Code>;
      case 'block':
        return <Code className={classes.block ?? ''}>{part.text}</Code>;
      case 'link':
        return (
          <Anchor href={part.text} rel="noreferrer nofollow" size="sm" underline="always">
            {part.text}
          </Anchor>
        );
      case 'mention':
        return (
          <span className={classes.mention}>
            @{mentions.find(({ id }) => id === part.id)?.name ?? 'Former member'}
          </span>
        );
    }
  };
  return (
    <div className={classes.comment}>
      {commentParts(body).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
        <span key={index}>{show(part)}</span>
      ))}
    </div>
  );
}
