import type { ChannelFormat } from '../../contract/dashboard/notifications.ts';
import { type Message, visibleOnly } from '../message.ts';
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

export const chatBody = (format: ChannelFormat, message: Message): string =>
  JSON.stringify(formats[format](visibleOnly(message)));
