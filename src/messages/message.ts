import type { Severity } from '../contract/severity.ts';

/** A link to a page of the dashboard; null if the service does not know its public URL. */
export type Link = string | null;

/** One thing that a message reports. */
export interface Line {
  readonly severity?: Severity;
  readonly text: string;
  /** Where or when, in smaller print. */
  readonly detail?: string;
  readonly url?: Link;
}

export interface MessageSection {
  readonly heading: string;
  readonly url?: Link;
  readonly lines: readonly Line[];
  /** What is left out, such as `12 more findings`. */
  readonly more?: { readonly text: string; readonly url: Link };
}

/**
 * A notification to a person or a chat channel, before it gets the form of its medium. Names, titles and places are other people’s text:
 * each medium escapes them.
 */
export interface Message {
  readonly subject: string;
  readonly intro: string;
  readonly sections: readonly MessageSection[];
  /** The page to open. */
  readonly action?: { readonly text: string; readonly url: Link };
  /** Why the reader gets it, and where to change that. */
  readonly reason?: { readonly text: string; readonly url: Link };
  /** Turns off all mail of the organization to the reader. Mail only. */
  readonly unsubscribe?: Link;
}

/** Lines of a section, and in a message. The rest is counted. */
export const linesOfSection = 8;
export const linesOfMessage = 30;

/** Control, bidirectional and other invisible characters, with which a name could change how the rest of a message is read. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/** One visible line of at most so many characters. */
function oneLine(text: string, most = 200): string {
  const visible = text
    .slice(0, most * 4)
    .toWellFormed()
    .replaceAll(invisible, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(visible);
  return characters.length <= most ? visible : `${characters.slice(0, most - 1).join('')}…`;
}

/** The message with all text as single lines, for every medium. */
export function visibleOnly(message: Message): Message {
  return {
    ...message,
    subject: oneLine(message.subject, 180),
    intro: oneLine(message.intro, 500),
    sections: message.sections.map(section => ({
      ...section,
      heading: oneLine(section.heading),
      lines: section.lines.map(line => ({
        ...line,
        text: oneLine(line.text),
        ...(line.detail === undefined ? {} : { detail: oneLine(line.detail) }),
      })),
    })),
  };
}
