import { readablePlace } from '../../contract/readable-place.ts';
import { type Severity, severities } from '../../contract/severity.ts';
import type { FindingFact } from '../../domain/notification-facts.ts';
import type { Line, Message } from '../message.ts';
import { type Links, linksFor } from './links.ts';
import type { Reader } from './reader.ts';

/** With its place and, in lists of several sources, its source. */
export function lineOfFinding(
  { id, severity, title, category, locator, source }: FindingFact,
  links: Links,
): Line {
  const place = readablePlace(category, locator);
  const detail = source === undefined ? place : `${place} (${source})`;
  return { severity, text: title, detail, url: links.finding(id) };
}

/** `1 finding`, `1,200 findings`. */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** `2 critical and 1 high`, or `1 critical, 2 high and 3 low`, most severe first; empty if there are none. */
export function bySeverity(counts: Readonly<Partial<Record<Severity, number>>>): string {
  const parts = severities.flatMap(severity => {
    const count = counts[severity] ?? 0;
    return count > 0 ? [`${count.toLocaleString('en-US')} ${severity}`] : [];
  });
  return listed(parts);
}

/** `a`, `a and b`, or `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** `Nov 30, 2026, 09:56 (Europe/Berlin)`. */
export function momentText(at: string, { timeZone }: Pick<Reader, 'timeZone'>): string {
  const text = new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ hourCycle: 'h23', timeZone },
  }).format(new Date(at));
  return `${text} (${timeZone})`;
}

/** `Nov 30`. */
export const dayText = (at: string, { timeZone }: Pick<Reader, 'timeZone'>): string =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone }).format(new Date(at));

/** Why the reader gets the message. */
export function reasonFor(reader: Reader): NonNullable<Message['reason']> {
  const { organization, medium } = reader;
  return {
    text:
      medium === 'mail'
        ? `You get this because of your notification settings in ${organization.name}.`
        : `Sent to this channel by ${organization.name}.`,
    url: linksFor(reader).page(medium === 'mail' ? 'settings/notifications' : 'settings/channels'),
  };
}
