import type { Line, Message } from '../message.ts';

/**
 * The body of a Google Chat incoming webhook: a card. Its text takes a few HTML elements, so that these are escaped.
 * https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
 */
export function asGoogleChat({ subject, intro, sections, action }: Message): object {
  return {
    fallbackText: escaped(subject),
    cardsV2: [
      {
        cardId: 'parapet',
        card: {
          header: { title: escaped(subject), subtitle: 'Parapet' },
          sections: [
            { widgets: [{ textParagraph: { text: escaped(intro) } }] },
            ...sections.map(({ heading, url, lines, more }) => ({
              header: escaped(heading),
              widgets: [
                ...lines.map(lineOf),
                ...(more ? [moreOf(more)] : url ? [button('Open', url)] : []),
              ].flat(),
            })),
            ...(action?.url ? [{ widgets: button(action.text, action.url) }] : []),
          ].filter(({ widgets }) => widgets.length > 0),
        },
      },
    ],
  };
}

function lineOf({ severity, text, detail, url }: Line): object {
  return {
    decoratedText: {
      ...(severity ? { topLabel: severity.toUpperCase() } : {}),
      text: escaped(text),
      ...(detail ? { bottomLabel: escaped(detail) } : {}),
      wrapText: true,
      ...(url ? { onClick: { openLink: { url } } } : {}),
    },
  };
}

/** None without a URL. */
const button = (text: string, url: string | null): object[] =>
  url === null ? [] : [{ buttonList: { buttons: [{ text, onClick: { openLink: { url } } }] } }];

/** Without a link, what is left out is counted in text. */
const moreOf = ({ text, url }: NonNullable<Message['sections'][number]['more']>): object[] =>
  url === null ? [{ textParagraph: { text: escaped(text) } }] : button(text, url);

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
