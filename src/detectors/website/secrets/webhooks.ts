import { secretsChecks } from './checks.ts';
import type { SecretRule } from './rule.ts';

const slash = '\\\\?/';

/** @param path with plain slashes, which may be escaped as in JSON. Its group `random` must appear random. */
function webhook(
  kind: string,
  name: string,
  anchor: string,
  path: string,
  more: Pick<SecretRule, 'accepts' | 'severity' | 'looksAround' | 'within'> = {},
): SecretRule {
  const start = anchor.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('/', slash);
  return {
    kind,
    name,
    check: secretsChecks.webhookUrl,
    anchors: [anchor],
    within: true,
    pattern: new RegExp(start + path.replaceAll('/', slash), 'y'),
    ...more,
  };
}

const uuid = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
/** Services that receive forms: pages may call them on purpose. */
const forForms = { severity: 'info' } as const;

/** URLs with which anyone can send messages or start a workflow. */
export const webhooks: readonly SecretRule[] = [
  webhook(
    'slack-webhook',
    'a Slack webhook URL',
    'hooks.slack.com',
    '/services/T[0-9A-Z]{8,12}/B[0-9A-Z]{8,12}/(?<random>[0-9A-Za-z]{20,26})(?!\\w)',
  ),
  webhook(
    'slack-workflow-webhook',
    'a URL that starts a Slack workflow',
    'hooks.slack.com',
    '/(?:workflows|triggers)/[0-9A-Z]{8,14}/(?:A?\\d?[0-9A-Z]{8,14}|\\d{8,16})(?:/\\d{8,20})?/(?<random>[0-9A-Za-z]{16,40})(?!\\w)',
  ),
  webhook(
    'teams-webhook',
    'a Microsoft Teams webhook URL',
    'webhook.office.com',
    `/webhookb2/[0-9a-z-]{36}@[0-9a-z-]{36}/IncomingWebhook/(?<random>[0-9a-z]{32})`,
  ),
  webhook(
    'teams-webhook',
    'a Microsoft Teams webhook URL',
    'outlook.office.com',
    `/webhook/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/(?<random>[0-9a-f]{32})`,
  ),
  webhook(
    'power-automate-webhook',
    'a URL that starts a Power Automate or Logic Apps workflow',
    '.logic.azure.com',
    '(?::443)?/workflows/[\\da-f]{32}/triggers/[\\w%-]{2,60}/paths/invoke\\?[^\\s"\'`<>]{0,300}sig=(?<random>[\\w%-]{40,50})',
  ),
  webhook(
    'power-automate-webhook',
    'a URL that starts a Power Automate workflow',
    '.api.powerplatform.com',
    '(?::443)?/powerautomate/automations/direct/workflows/[\\da-f]{32}/triggers/[\\w%-]{2,60}/paths/invoke\\?[^\\s"\'`<>]{0,300}sig=(?<random>[\\w%-]{40,50})',
  ),
  {
    ...webhook(
      'discord-webhook',
      'a Discord webhook URL',
      'webhooks/',
      '(?:[\\d]{17,20})/(?<random>[\\w-]{60,80})(?![\\w-])',
    ),
    anchors: ['webhooks/', 'webhooks\\/'],
    accepts: ({ input, index }) =>
      /discord(?:app)?\.com\\?\/api\\?\/(?:v\d{1,2}\\?\/)?$/.test(
        input.slice(Math.max(0, index - 40), index),
      ),
  },
  webhook(
    'google-chat-webhook',
    'a Google Chat webhook URL',
    'chat.googleapis.com',
    '/v1/spaces/[\\w-]{8,20}/messages\\?key=[\\w-]{39}(?:&|&amp;|\\\\u0026)token=(?<random>[\\w%-]{40,60})',
  ),
  {
    ...webhook(
      'mattermost-webhook',
      'a webhook URL of Mattermost or Rocket.Chat',
      '/hooks/',
      '(?<random>[a-z\\d]{26}|[0-9A-Za-z]{17,24}/[0-9A-Za-z]{40,70})(?![\\w-])',
    ),
    anchors: ['/hooks/', '\\/hooks\\/'],
    accepts: ({ input, index }) =>
      /https?:\\?\/\\?\/[\w.:-]{4,120}$/.test(input.slice(Math.max(0, index - 140), index)),
  },
  webhook(
    'dingtalk-webhook',
    'a DingTalk robot URL',
    'oapi.dingtalk.com',
    '/robot/send\\?access_token=(?<random>[\\da-f]{64})',
  ),
  webhook('lark-webhook', 'a Lark (Feishu) robot URL', '/open-apis/bot/', `(?:v2/)?hook/(?<random>${uuid})`, {
    accepts: ({ input, index }) =>
      /open\.(?:feishu\.cn|larksuite\.com)$/.test(input.slice(Math.max(0, index - 30), index)),
  }),
  webhook(
    'wecom-webhook',
    'a WeCom robot URL',
    'qyapi.weixin.qq.com',
    `/cgi-bin/webhook/send\\?key=(?<random>${uuid})`,
  ),
  webhook(
    'webex-webhook',
    'a Webex webhook URL',
    'webexapis.com',
    '/v1/webhooks/incoming/(?<random>[\\w-]{60,120})',
  ),
  webhook(
    'chime-webhook',
    'an Amazon Chime webhook URL',
    'hooks.chime.aws',
    `/incomingwebhooks/${uuid}\\?token=(?<random>[\\w%-]{40,120})`,
  ),
  webhook(
    'tines-webhook',
    'a Tines webhook URL',
    '.tines.com',
    '/webhook/[a-z\\d]{32}/(?<random>[a-z\\d]{32})',
  ),
  webhook(
    'pagerduty-webhook',
    'a PagerDuty integration URL',
    'events.pagerduty.com',
    '/(?:integration|x-ere)/(?<random>[0-9A-Za-z]{32})/?',
  ),
  webhook(
    'jira-webhook',
    'a URL that starts a Jira automation',
    'automation.atlassian.com',
    '/pro/hooks/(?<random>[\\da-f]{40,80})',
  ),
  webhook(
    'ifttt-webhook',
    'an IFTTT webhook URL with the account’s key',
    'maker.ifttt.com',
    '/trigger/[\\w{}$-]{1,80}/(?:json/)?with/key/(?<random>[\\w-]{20,50})(?![\\w-])',
  ),
  webhook(
    'zapier-webhook',
    'a Zapier webhook URL, which anyone can call',
    'hooks.zapier.com',
    '/hooks/catch/\\d{4,10}/(?<random>[0-9A-Za-z]{6,12})(?!\\w)',
    forForms,
  ),
  {
    ...webhook(
      'make-webhook',
      'a Make webhook URL, which anyone can call',
      '.make.com',
      '/(?<random>[a-z\\d]{32})(?!\\w)',
      forForms,
    ),
    accepts: ({ input, index }) => /hook\.[a-z]{2}\d$/.test(input.slice(Math.max(0, index - 12), index)),
  },
  {
    ...webhook(
      'pipedream-webhook',
      'a Pipedream webhook URL, which anyone can call',
      '.m.pipedream.net',
      '',
      forForms,
    ),
    accepts: ({ input, index }) =>
      /https?:\\?\/\\?\/eo[a-z\d]{10,14}$/.test(input.slice(Math.max(0, index - 28), index)),
  },
  {
    kind: 'telegram-bot-token',
    name: 'a Telegram bot token',
    check: secretsChecks.apiToken,
    anchors: [':AA'],
    within: true,
    pattern: /(?<=(?<![\w-])(?:bot)?\d{8,10}):AA(?<random>[\w-]{33})(?![\w-])/y,
  },
];
