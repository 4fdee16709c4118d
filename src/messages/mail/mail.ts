import type { Message } from '../message.ts';
import { visibleOnly } from '../message.ts';
import { asHtml } from './as-html.ts';
import { asText } from './as-text.ts';

/** A mail before it is sent. */
export interface Mail {
  readonly to: string;
  /** The same for each attempt, so that mail programs show a repeated one once. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An address to which a POST unsubscribes the reader (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

/** Sends mail over the server that the operator has set up. */
export interface Mailer {
  /** Resolves when the server has accepted the mail. Throws `MailFailed`. */
  send(mail: Mail): Promise<void>;
  /** Connects and signs in. Throws `MailFailed`. */
  verify(): Promise<void>;
  close(): void;
}

/** Why a mail was not accepted. Without the server's text, which may repeat addresses and credentials. */
export class MailFailed extends Error {
  override readonly name = 'MailFailed';
  /** For example `EAUTH` of the client, or `550` of the server. */
  readonly code: string;
  /** Another attempt would fail as well: the server refused this mail or its reader. */
  readonly isFinal: boolean;
  constructor(code: string, isFinal: boolean) {
    super(`the mail server did not accept a mail (${code})`);
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** The parts of a mail. */
export function mailBody(message: Message): Pick<Mail, 'subject' | 'text' | 'html'> {
  const visible = visibleOnly(message);
  return { subject: visible.subject, text: asText(visible), html: asHtml(visible) };
}
