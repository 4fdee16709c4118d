import type { ChannelFormat } from '../../contract/dashboard/notifications.ts';
import { type Message, type MessageSection, visibleOnly } from '../message.ts';
import { asGoogleChat } from './google-chat.ts';
import { asMarkdown } from './markdown.ts';
import { asSlack } from './slack.ts';
import { asTeams } from './teams.ts';

/** The JSON that the incoming webhook of a chat system takes. */
const formats: Readonly<Record<ChannelFormat, (message: Message) => object>> = {
  slack: asSlack,
  teams: asTeams,
  google_chat: asGoogleChat,
  // https://developers.mattermost.com/integrate/webhooks/incoming: the longest message is 16,383 characters.
  mattermost: message => ({ text: asMarkdown(message, { most: 16_000 }) }),
  // https://discord.com/developers/docs/resources/webhook#execute-webhook: titles have 256 characters, descriptions 4,096.
  discord: message => ({
    embeds: [
      {
        title: message.subject.slice(0, 256),
        ...(message.action?.url ? { url: message.action.url } : {}),
        description: asMarkdown(message, { most: 4_000, withoutSubject: true }),
      },
    ],
    allowed_mentions: { parse: [] },
  }),
};

/** Bytes that a system takes. Slack counts blocks, and a message has fewer than its 50. */
const mostBytes: Readonly<Record<ChannelFormat, number>> = {
  slack: 40_000,
  teams: 27_000,
  google_chat: 31_000,
  mattermost: 60_000,
  discord: 60_000,
};

/** The body to post. Of a message that is too long for the system, the last lines are counted instead. */
export function chatBody(format: ChannelFormat, message: Message): string {
  let fitting = visibleOnly(message);
  for (;;) {
    const body = JSON.stringify(formats[format](fitting));
    const longest = fitting.sections.reduce((most, { lines }) => Math.max(most, lines.length), 0);
    if (Buffer.byteLength(body) <= mostBytes[format] || longest === 0) return body;
    fitting = { ...fitting, sections: fitting.sections.map(section => shorter(section, longest)) };
  }
}

/** Without its last line, if it has as many as this. */
function shorter(section: MessageSection, longest: number): MessageSection {
  const { lines, more } = section;
  if (lines.length < longest) return section;
  return {
    ...section,
    lines: lines.slice(0, -1),
    more: { text: 'More in Parapet', url: more?.url ?? section.url ?? null },
  };
}
