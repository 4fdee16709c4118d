import type { AlertFacts, EventFact, FindingList } from '../../domain/notification-facts.ts';
import { describeCause } from '../../domain/scan-causes.ts';
import { shortened } from '../../domain/visible-text.ts';
import {
  type Line,
  linesOfMessage,
  linesOfSection,
  type Message,
  type MessageSection,
  sectionsOfMessage,
} from '../message.ts';
import { type Links, linksFor } from './links.ts';
import type { Reader } from './reader.ts';
import { bySeverity, counted, lineOfFinding, listed, momentText, reasonFor } from './write-parts.ts';

/** What has just happened. Null if there is nothing left to say. */
export function writeAlert(facts: AlertFacts, reader: Reader): Message | null {
  const { sources, views, assigned, overdue, events } = facts;
  if (sources.length + views.length + events.length === 0 && !assigned && !overdue) return null;
  const links = linksFor(reader);
  const groups = [
    ...sources.map(group => ({
      group,
      ofSource: true,
      heading: group.system === undefined ? group.name : `${group.name} (${group.system})`,
      url: links.page(`sources/${group.id}`),
      all: links.page('findings', group.query),
    })),
    ...views.map(view => listOf(view, `New in view “${view.name}”`, links)),
    ...(assigned ? [listOf(assigned, 'Assigned to you', links)] : []),
    ...(overdue ? [listOf(overdue, 'Overdue', links)] : []),
  ];
  let room = linesOfMessage;
  const listedGroups = groups.slice(0, sectionsOfMessage);
  const further = groups.length - listedGroups.length;
  const sections: MessageSection[] = listedGroups.map(({ group, ofSource, heading, url, all }) => {
    const lines = group.listed.slice(0, Math.min(linesOfSection, room));
    room -= lines.length;
    return sectionOf(
      group,
      lines.map(({ source, ...finding }) =>
        // A source is the heading of its own findings.
        lineOfFinding(source === undefined || ofSource ? finding : { ...finding, source }, links),
      ),
      { heading, url, all },
    );
  });
  if (further > 0) {
    const more = {
      text: `${counted(further, 'more source')} with new findings`,
      url: links.page('findings'),
    };
    sections.push({ heading: 'And more', lines: [], more });
  }
  const happened = events.slice(0, linesOfSection).map(event => lineOfEvent(event, reader, links));
  const left = events.length - happened.length;
  const ofEvents: MessageSection = {
    heading: 'Needs attention',
    lines: happened,
    ...(left > 0 ? { more: { text: `${left} more`, url: links.page('overview') } } : {}),
  };
  return {
    subject: subjectOf(facts, reader, happened),
    intro: introOf(facts, reader),
    sections: [...sections, ...(happened.length > 0 ? [ofEvents] : [])],
    action:
      sections.length > 0
        ? { text: 'Open findings', url: links.page('findings') }
        : { text: 'Open the overview', url: links.page('overview') },
    reason: reasonFor(reader),
  };
}

function listOf(group: FindingList, heading: string, links: Links) {
  const url = links.page('findings', group.query);
  return { group, ofSource: false, heading, url, all: url };
}

function sectionOf(
  { total }: FindingList,
  lines: readonly Line[],
  { heading, url, all }: { heading: string; url: string | null; all: string | null },
): MessageSection {
  const left = total - lines.length;
  return {
    heading,
    url,
    lines,
    ...(left > 0
      ? {
          more: {
            text: lines.length === 0 ? counted(left, 'finding') : `${counted(left, 'more finding')}`,
            url: all,
          },
        }
      : {}),
  };
}

const totalOf = ({ counts }: AlertFacts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

function subjectOf(facts: AlertFacts, { organization }: Reader, happened: readonly Line[]): string {
  const { assigned, overdue, events } = facts;
  const work = [
    ...(assigned ? [`${counted(assigned.total, 'finding')} assigned to you`] : []),
    ...(overdue ? [`${counted(overdue.total, 'finding')} overdue`] : []),
    ...(events.length === 1 ? [subjectOfEvent(events[0]!, happened[0]!)] : []),
    ...(events.length > 1 ? [`${events.length} things need attention`] : []),
  ];
  const found = newFindings(facts);
  if (found === undefined) return `${organization.name}: ${listed(work)}`;
  return [found, ...work].join('; ');
}

/** Names are chosen by the people themselves: a mention does not write the subject of a mail. */
const subjectOfEvent = ({ kind }: EventFact, { text }: Line) =>
  kind === 'mentioned' ? 'you were mentioned in a comment' : text;

/** `New high finding on Portal`, or `3 new findings on Portal and 1 more: 1 critical and 2 high`. */
function newFindings(facts: AlertFacts): string | undefined {
  const { sources, views, counts } = facts;
  const total = totalOf(facts);
  const [first, ...others] = [...new Set([...sources, ...views].map(({ name }) => name))];
  if (first === undefined) return undefined;
  const where = others.length === 0 ? first : `${first} and ${others.length} more`;
  return total === 1
    ? `New ${Object.keys(counts)[0]} finding on ${where}`
    : `${total.toLocaleString('en-US')} new findings on ${where}: ${bySeverity(counts)}`;
}

function introOf(facts: AlertFacts, { organization }: Reader): string {
  const total = totalOf(facts);
  if (total === 0) return `In ${organization.name}:`;
  return total === 1
    ? `A scan found a new problem in ${organization.name}.`
    : `Scans found ${total.toLocaleString('en-US')} new problems in ${organization.name}.`;
}

function lineOfEvent(event: EventFact, reader: Reader, links: Links): Line {
  switch (event.kind) {
    case 'mentioned':
      return {
        text: `${shortened(event.author, 40)} mentioned you: ${event.finding.title}`,
        detail: `Comment: ${event.excerpt}`,
        url: links.finding(event.finding.id),
      };
    case 'scan_failed':
      return {
        text: `The scan of ${event.target} failed`,
        ...(event.cause === null ? {} : { detail: describeCause(event.cause as never) }),
        url: links.page(`scans/${event.scan}`),
      };
    case 'source_failing':
      return {
        text: `${event.source.name} cannot be reached`,
        url: links.page(`sources/${event.source.id}`),
      };
    case 'agent_silent':
      return {
        text: `Probe ${event.probe.name} has stopped reporting`,
        ...(event.lastSeenAt === null
          ? {}
          : { detail: `Last report: ${momentText(event.lastSeenAt, reader)}` }),
        url: links.page(`probes/${event.probe.id}`),
      };
    case 'key_expiring':
      return {
        text: `API key ${event.key.name} expires soon`,
        detail: `Expires ${momentText(event.expiresAt, reader)}`,
        url: links.page('settings/keys'),
      };
    case 'attestation_ending':
      return {
        text: `The attestation of control ${event.control} expires soon`,
        detail: `Expires ${momentText(event.validUntil, reader)}`,
        url: links.page('controls', { control: event.control }),
      };
    case 'backup_old':
      return {
        text: event.lastAt === null ? 'Parapet has no backup' : 'The last backup of Parapet is old',
        ...(event.lastAt === null ? {} : { detail: `Last backup: ${momentText(event.lastAt, reader)}` }),
      };
  }
}
