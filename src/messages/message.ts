import type { Severity } from '../contract/severity.ts';
import { shortened, visibleText } from '../domain/visible-text.ts';

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
export const sectionsOfMessage = 12;

/** One visible line, so that a name cannot change how the rest of a message is read. */
const oneLine = (text: string, most = 200): string =>
  shortened(visibleText(text).replaceAll(/\s+/g, ' ').trim(), most);

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
