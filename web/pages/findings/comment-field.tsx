import { Textarea } from '@mantine/core';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { commentLimits } from '../../../src/contract/dashboard/finding-limits.ts';
import { type Mentionable, matching, mentionAt } from './mention-text.ts';
import classes from './work.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly people: readonly Mentionable[];
  readonly autoFocus?: boolean;
  /** Ctrl+Enter or Cmd+Enter. */
  readonly onSubmit: () => void;
}

/** A text field that offers people to mention after an `@`. */
export function CommentField({ label, value, onChange, people, autoFocus, onSubmit }: Props) {
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState<number>();
  const [active, setActive] = useState(0);
  const typed = cursor === undefined ? undefined : mentionAt(value, cursor);
  const offered = typed ? matching(people, typed.part) : [];
  const chosen = offered[Math.min(active, offered.length - 1)];
  const follow = (element: HTMLTextAreaElement) => {
    setCursor(element.selectionStart);
    setActive(0);
  };
  const pick = ({ label: name }: Mentionable) => {
    if (!typed || cursor === undefined) return;
    const before = `${value.slice(0, typed.start)}@${name} `;
    onChange(before + value.slice(cursor));
    setCursor(undefined);
    // After the text is in the field.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
      return;
    }
    if (!chosen) return;
    const steps: Record<string, () => void> = {
      ArrowDown: () => setActive((active + 1) % offered.length),
      ArrowUp: () => setActive((active + offered.length - 1) % offered.length),
      Enter: () => pick(chosen),
      Tab: () => pick(chosen),
      Escape: () => setCursor(undefined),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };
  return (
    <div className={classes.composer}>
      <Textarea
        ref={field}
        aria-label={label}
        placeholder="Write a comment. Type @ to mention someone, `code` for code."
        autosize
        minRows={2}
        maxRows={12}
        maxLength={commentLimits.length}
        value={value}
        {...(autoFocus ? { 'data-autofocus': true } : {})}
        aria-autocomplete="list"
        aria-controls={chosen ? listId : undefined}
        aria-activedescendant={chosen ? `${listId}-${chosen.id}` : undefined}
        onChange={event => {
          onChange(event.currentTarget.value);
          follow(event.currentTarget);
        }}
        onClick={event => follow(event.currentTarget)}
        onBlur={() => setCursor(undefined)}
        onKeyDown={onKeyDown}
      />
      {chosen && (
        <div id={listId} role="listbox" aria-label="People" className={classes.people}>
          {offered.map(person => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keyboard
            <div
              key={person.id}
              id={`${listId}-${person.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={person === chosen}
              // The field keeps the focus.
              onMouseDown={event => event.preventDefault()}
              onClick={() => pick(person)}
            >
              {person.label}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
