import type { DigestFacts } from '../../domain/notification-facts.ts';
import { linesOfSection, type Message, type MessageSection } from '../message.ts';
import { type Links, linksFor } from './links.ts';
import type { Reader } from './reader.ts';
import { bySeverity, counted, dayText, lineOfFinding, listed, reasonFor } from './write-parts.ts';

/** What changed in a period, also if nothing did: silence could mean that the mail was lost. */
export function writeDigest(facts: DigestFacts, reader: Reader): Message {
  const links = linksFor(reader);
  const changes = changesOf(facts);
  const { organization } = reader;
  const period = `${dayText(facts.from, reader)} to ${dayText(facts.until, reader)}`;
  return {
    subject: `${organization.name}: ${changes === '' ? 'nothing new' : changes} (${period})`,
    intro: introOf(facts, changes),
    sections: sectionsOf(facts, links),
    action: { text: 'Open the overview', url: links.page('overview') },
    reason: reasonFor(reader),
  };
}

function changesOf({ opened, reopened, resolved, accepted }: DigestFacts): string {
  const parts = [
    [opened, 'new'],
    [reopened, 'reopened'],
    [resolved, 'resolved'],
    [accepted, 'accepted'],
  ] as const;
  return listed(
    parts.flatMap(([count, word]) => (count > 0 ? [`${count.toLocaleString('en-US')} ${word}`] : [])),
  );
}

function introOf({ score, scoreBefore, open }: DigestFacts, changes: string): string {
  const now = bySeverity({ ...open, info: 0 });
  const sentences = [
    changes === '' ? 'No findings were opened, resolved or accepted.' : `Findings: ${changes}.`,
    now === '' ? 'No open findings above info.' : `Open now: ${now}.`,
    score === null
      ? 'No source has been scanned yet.'
      : `Posture score: ${score}${changeOf(score, scoreBefore)}.`,
  ];
  return sentences.join(' ');
}

function changeOf(score: number, before: number | null): string {
  if (before === null || before === score) return '';
  return ` (${score > before ? '+' : '−'}${Math.abs(score - before)})`;
}

function sectionsOf(facts: DigestFacts, links: Links): MessageSection[] {
  const { newest, fixed, fixFirst, failing, notScanned, opened, reopened, resolved } = facts;
  const open = links.page('findings', { status: 'open', order: 'newest' });
  const sections: MessageSection[] = [
    {
      heading: 'New and reopened',
      lines: newest.slice(0, linesOfSection).map(finding => lineOfFinding(finding, links)),
      ...more(opened + reopened - Math.min(newest.length, linesOfSection), open),
    },
    {
      heading: 'Resolved',
      lines: fixed.slice(0, linesOfSection).map(finding => lineOfFinding(finding, links)),
      ...more(
        resolved - Math.min(fixed.length, linesOfSection),
        links.page('findings', { status: 'resolved', order: 'last_seen' }),
      ),
    },
    {
      heading: 'Fix first',
      lines: fixFirst.map(({ check, title, severity, count }) => ({
        severity,
        text: title,
        detail: `${counted(count, 'finding')}`,
        url: links.page('findings', { category: check, status: 'open' }),
      })),
    },
    {
      heading: 'Not scanned',
      lines: failing.map(({ id, name }) => ({
        text: `${name} cannot be reached`,
        url: links.page(`sources/${id}`),
      })),
      ...(notScanned > 0
        ? { more: { text: `${counted(notScanned, 'source')} never scanned`, url: links.page('sources') } }
        : {}),
    },
  ];
  return sections.filter(({ lines, more }) => lines.length > 0 || more !== undefined);
}

const more = (count: number, url: string | null) =>
  count > 0 ? { more: { text: `${counted(count, 'more finding')}`, url } } : {};
