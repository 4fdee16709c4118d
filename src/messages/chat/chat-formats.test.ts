import { expect, it } from 'vitest';
import type { Message } from '../message.ts';
import { chatBody } from './chat-formats.ts';

const message: Message = {
  subject: 'New high finding on <!channel> & co',
  intro: 'A scan found a new problem.',
  sections: [
    {
      heading: '*Portal* [x](https://evil.example)',
      url: 'https://parapet.example/dashboard/o/1/sources/2',
      lines: [
        {
          severity: 'high',
          text: '@everyone <users/all> <b>bold</b>\u202e\nsecond line',
          detail: 'https://portal.example/`a`',
          url: 'https://parapet.example/dashboard/findings/3',
        },
      ],
      more: { text: '7 more findings', url: 'https://parapet.example/dashboard/o/1/findings' },
    },
  ],
  action: { text: 'Open findings', url: 'https://parapet.example/dashboard/o/1/findings' },
};
const body = (format: Parameters<typeof chatBody>[0], changes: Partial<Message> = {}) =>
  JSON.parse(chatBody(format, { ...message, ...changes }));

it('writes rich text for Slack, in which nothing is markup', () => {
  const slack = body('slack');
  expect(slack.text).toBe('New high finding on &lt;!channel&gt; &amp; co');
  const texts = JSON.stringify(slack.blocks);
  expect(slack.blocks.map(({ type }: { type: string }) => type)).toEqual([
    'header',
    'rich_text',
    'rich_text',
    'rich_text',
  ]);
  expect(texts).not.toContain('mrkdwn');
  expect(slack.blocks[2].elements[1].elements[0].elements).toEqual([
    { type: 'text', text: 'HIGH  ', style: { bold: true } },
    {
      type: 'link',
      url: 'https://parapet.example/dashboard/findings/3',
      text: '@everyone <users/all> <b>bold</b> second line',
    },
    { type: 'text', text: '\nhttps://portal.example/`a`' },
  ]);
});

it('writes an Adaptive Card for Teams, whose text runs have no markup', () => {
  const { attachments, type } = body('teams');
  expect(type).toBe('message');
  const [{ contentType, content }] = attachments;
  expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
  const types = new Set(content.body.map((block: { type: string }) => block.type));
  expect([...types]).toEqual(['RichTextBlock']);
  expect(content.actions).toEqual([
    { type: 'Action.OpenUrl', url: message.action!.url, title: 'Open findings' },
  ]);
});

it('escapes the elements that Google Chat knows', () => {
  const text = JSON.stringify(body('google_chat'));
  expect(text).toContain('@everyone &lt;users/all&gt; &lt;b&gt;bold');
  expect(text).not.toMatch(/<(?:users|b|!)/);
});

it.each(['mattermost', 'discord'] as const)('escapes Markdown and mentions for %s', format => {
  const json = body(format);
  const text: string = format === 'mattermost' ? json.text : json.embeds[0].description;
  expect(text).toContain(
    '[\\*Portal\\* \\[x\\]\\(https://evil\\.example\\)](https://parapet.example/dashboard/o/1/sources/2)',
  );
  expect(text).toContain('@\u200beveryone <users/all\\>');
  expect(text).not.toContain('\u202e');
  if (format === 'discord') expect(json.allowed_mentions).toEqual({ parse: [] });
});

it('stays within the length that a service takes, and counts what is left out', () => {
  const line = { text: 'x'.repeat(180), url: 'https://parapet.example/dashboard/findings/3' };
  const sections = Array.from({ length: 10 }, (_, index) => ({
    heading: `Source ${index}`,
    lines: [line, line, line],
  }));
  const { description } = body('discord', { sections }).embeds[0];
  expect(description.length).toBeLessThanOrEqual(4_096);
  expect(description).toMatch(/\n\d+ more lines\n/);
  expect(description).toContain('[Open findings](');
});

it.each(['slack', 'teams', 'google_chat'] as const)(
  'stays within the bytes and blocks that %s takes',
  format => {
    const long = 'ü'.repeat(200);
    const line = {
      severity: 'high' as const,
      text: long,
      detail: long,
      url: `https://p.example/${'x'.repeat(100)}`,
    };
    const sections = Array.from({ length: 14 }, () => ({
      heading: long,
      url: line.url,
      lines: [line, line, line, line],
    }));
    const text = chatBody(format, { ...message, sections });
    const most = { slack: 40_000, teams: 28_000, google_chat: 32_000 };
    expect(Buffer.byteLength(text)).toBeLessThan(most[format]);
    expect(text).toContain('More in Parapet');
    if (format === 'slack') expect(JSON.parse(text).blocks.length).toBeLessThanOrEqual(50);
  },
);
