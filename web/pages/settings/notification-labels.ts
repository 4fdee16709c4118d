import type {
  ChannelFormat,
  Digest,
  NoticeKind,
  NotifiedSeverity,
  SentMessage,
} from '../../../src/contract/dashboard/notifications.ts';

export const kindLabels: Readonly<Record<NoticeKind, { label: string; description: string }>> = {
  new_findings: {
    label: 'New findings',
    description: 'Findings that a scan opened or reopened. One message for all of them.',
  },
  assigned: { label: 'Assignments', description: 'Someone made you the owner of a finding.' },
  mentioned: { label: 'Mentions', description: 'Someone mentioned you in a comment.' },
  overdue: {
    label: 'Overdue findings',
    description: 'Once a day: your findings that became overdue, and those without an owner.',
  },
  scan_failed: { label: 'Failed scans', description: 'The first failed scan of a source or system.' },
  source_failing: {
    label: 'Unreachable sources',
    description: 'A connection that worked before has failed.',
  },
  agent_silent: { label: 'Silent probes', description: 'A probe has stopped reporting.' },
  key_expiring: { label: 'Expiring API keys', description: '14 days and 3 days before a key expires.' },
  attestation_ending: {
    label: 'Expiring attestations',
    description: '14 days and 3 days before an attestation expires.',
  },
  backup_old: { label: 'Missing backups', description: 'Weekly, after 7 days without a backup of Parapet.' },
};

export const severityLabels: Readonly<Record<NotifiedSeverity, string>> = {
  critical: 'Critical only',
  high: 'High and critical',
  medium: 'Medium and above',
  low: 'Low and above',
};

export const digestLabels: Readonly<Record<Digest, string>> = {
  none: 'No summary',
  daily: 'Every day at 08:00',
  weekly: 'Every Monday at 08:00',
};

export const formatLabels: Readonly<Record<ChannelFormat, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
  google_chat: 'Google Chat',
  discord: 'Discord',
};

export const purposeLabels: Readonly<Record<SentMessage['purpose'], string>> = {
  alert: 'Alert',
  digest: 'Summary',
  test: 'Test message',
  code: 'Confirmation code',
};

/** The state of a message, and why it was not sent. */
export function messageState({ state, error }: SentMessage): string {
  if (state === 'sent') return 'Sent';
  if (state === 'empty') return error === 'joined' ? 'Joined the next alert' : 'Nothing left to report';
  if (state === 'failed') return `Not sent: ${reasonText(error)}`;
  if (error !== null) return `Trying again: ${reasonText(error)}`;
  return state === 'sending' ? 'Sending' : 'Queued';
}

const reasons: Readonly<Record<string, string>> = {
  dns_failed: 'the host name could not be resolved',
  refused_private_address: 'the address is private and not in the allowlist of this service',
  connection_refused: 'the connection was refused',
  timeout: 'no response in time',
  tls_required: 'the URL must begin with https://',
  tls_untrusted: 'the certificate is not trusted',
  credential_lost: 'the master key of its URL is lost: enter the URL again',
  'HTTP 404': 'the webhook does not exist (404)',
  'HTTP 410': 'the webhook was removed (410)',
  'HTTP 403': 'the webhook is disabled (403)',
  'HTTP 429': 'too many messages (429)',
};

function reasonText(error: string | null): string {
  if (error === null) return 'unknown reason';
  if (reasons[error] !== undefined) return reasons[error];
  if (/^E[A-Z]+/.test(error)) return `the mail server refused it or did not respond (${error})`;
  return error;
}
