import { isIP } from 'node:net';
import nodemailer from 'nodemailer';
import { type Mailer, MailFailed } from './mail.ts';

/** How mail is sent (`PARAPET_SMTP_URL`, `PARAPET_MAIL_FROM`). */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte. `required`: STARTTLS, or nothing is sent. */
  readonly tls: 'implicit' | 'required' | 'none';
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
}

/** A mail server that does not answer must not delay other messages. */
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 5_000,
};

/** A server that answers each command just in time must not take longer than a worker has for a message. */
const mostMs = 90_000;

/** Connections that are kept for the next mails. */
const connections = 4;

/** A mailer over SMTP (RFC 5321), with the library nodemailer. */
export function smtpMailer({ host, port, tls, user, password, from }: SmtpSettings): Mailer {
  const transport = nodemailer.createTransport(
    {
      host,
      port,
      secure: tls === 'implicit',
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      ...(isIP(host) ? {} : { tls: { servername: host } }),
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
      pool: true,
      maxConnections: connections,
      maxMessages: 50,
      // Contents come from the service alone: no file is read and no URL requested for an attachment.
      disableFileAccess: true,
      disableUrlAccess: true,
      ...timeouts,
    },
    { from },
  );
  return {
    send: async ({ to, id, subject, text, html, unsubscribeUrl }) => {
      const domain = /@([^@>]+)>?$/.exec(from)?.[1] ?? 'parapet.invalid';
      const sent = transport.sendMail({
        // As an object, since a list could be written into a single text.
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        subject,
        text,
        html,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(unsubscribeUrl
            ? {
                'List-Unsubscribe': `<${unsubscribeUrl}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }
            : {}),
        },
      });
      await withinLimit(sent).catch(failed);
    },
    verify: async () => {
      await transport.verify().catch(failed);
    },
    close: () => transport.close(),
  };
}

/** The mail may still arrive later: it is sent again with the same ID. */
async function withinLimit(sent: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })), mostMs);
  });
  try {
    await Promise.race([sent, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** The server refuses this recipient (RFC 5321, 4.2). A refusal of the sender, the mail or the connection may pass. */
const isRefusal = ({ responseCode, command }: SmtpError) =>
  command === 'RCPT TO' && responseCode !== undefined && responseCode >= 550 && responseCode < 560;

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

function failed(error: SmtpError): never {
  const text = [error.code, error.responseCode].filter(part => part !== undefined).join(' ');
  throw new MailFailed(/^[A-Z0-9 _]{1,40}$/.test(text) ? text : 'failed', isRefusal(error));
}
