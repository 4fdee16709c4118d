import type { Line, Message } from '../message.ts';

type Element = { readonly type: 'text' | 'link'; readonly text: string } & Readonly<Record<string, unknown>>;

/**
 * The body of a Slack incoming webhook. Rich text elements contain text as it is, without markup, so that no name can mention a channel or
 * look like a link. https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export function asSlack({ subject, intro, sections, action }: Message): object {
  return {
    // Shown in notifications of the device. Here, markup must be escaped.
    text: subject.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    unfurl_links: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: subject.slice(0, 150), emoji: false } },
      richText([section([text(intro)])]),
      ...sections.map(({ heading, url, lines, more }) =>
        richText([
          section([linked(heading, url, { bold: true })]),
          ...(lines.length > 0
            ? [
                {
                  type: 'rich_text_list',
                  style: 'bullet',
                  elements: lines.map(line => section(lineOf(line))),
                },
              ]
            : []),
          ...(more ? [section([linked(more.text, more.url)])] : []),
        ]),
      ),
      ...(action?.url ? [richText([section([linked(action.text, action.url, { bold: true })])])] : []),
    ],
  };
}

const richText = (elements: readonly object[]) => ({ type: 'rich_text', elements });
const section = (elements: readonly Element[]) => ({ type: 'rich_text_section', elements });
const text = (words: string, style?: object): Element => ({
  type: 'text',
  text: words,
  ...(style ? { style } : {}),
});

const linked = (words: string, url: string | null | undefined, style?: object): Element =>
  url ? { type: 'link', url, text: words, ...(style ? { style } : {}) } : text(words, style);

function lineOf({ severity, text: words, detail, url }: Line): Element[] {
  return [
    ...(severity ? [text(`${severity.toUpperCase()}  `, { bold: true })] : []),
    linked(words, url),
    ...(detail ? [text(`\n${detail}`)] : []),
  ];
}
