import type { Severity } from '../../contract/severity.ts';
import type { Line, Message } from '../message.ts';

const colors: Readonly<Record<Severity, string>> = {
  critical: 'attention',
  high: 'attention',
  medium: 'warning',
  low: 'accent',
  info: 'default',
};

/**
 * The body of a webhook of Microsoft Teams (a workflow with the trigger “When a Teams webhook request is received”): an Adaptive Card. Text
 * runs have no markup. https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
export function asTeams({ subject, intro, sections, action }: Message): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          fallbackText: subject,
          body: [
            block([{ ...run(subject), weight: 'bolder', size: 'large' }]),
            block([run(intro)]),
            ...sections.flatMap(({ heading, url, lines, more }) => [
              { ...block([{ ...linked(heading, url), weight: 'bolder' }]), spacing: 'medium' },
              ...lines.map(line => block(lineOf(line))),
              ...(more ? [block([linked(more.text, more.url)])] : []),
            ]),
          ],
          ...(action?.url ? { actions: [openUrl(action.url, action.text)] } : {}),
        },
      },
    ],
  };
}

const block = (inlines: readonly object[]) => ({ type: 'RichTextBlock', spacing: 'small', inlines });
const run = (text: string) => ({ type: 'TextRun', text });
const openUrl = (url: string, title?: string) => ({
  type: 'Action.OpenUrl',
  url,
  ...(title ? { title } : {}),
});
const linked = (text: string, url: string | null | undefined) => ({
  ...run(text),
  ...(url ? { selectAction: openUrl(url) } : {}),
});

function lineOf({ severity, text, detail, url }: Line): object[] {
  return [
    ...(severity
      ? [{ ...run(`${severity.toUpperCase()}  `), weight: 'bolder', color: colors[severity] }]
      : []),
    linked(text, url),
    ...(detail ? [{ ...run(`\n${detail}`), isSubtle: true, size: 'small' }] : []),
  ];
}
