import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { testCertificate } from './certificates.ts';

/** A mail as the server took it. */
export interface ReceivedMail {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly header: (name: string) => string | undefined;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly received: ReceivedMail[];
  /** The answer to each recipient; undefined accepts. */
  refusal: { readonly code: number; readonly text: string } | undefined;
  /** The next mail, or the first of those that no call has returned yet. */
  next(): Promise<ReceivedMail>;
}

export const mailUser = { user: 'parapet', password: 'a p@ss:word' };

interface MailServerOptions {
  /** Whether it offers STARTTLS, with a certificate that nobody trusts. Default false. */
  readonly startTls?: boolean;
  readonly asksForUser?: boolean;
}

/** A real SMTP server on loopback. */
export async function startMailServer({
  startTls = false,
  asksForUser = false,
}: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const waiting: ((mail: ReceivedMail) => void)[] = [];
  let taken = 0;
  const certificate = startTls ? testCertificate() : undefined;
  const server = new SMTPServer({
    logger: false,
    authOptional: !asksForUser,
    disabledCommands: [...(startTls ? [] : ['STARTTLS']), ...(asksForUser ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    ...(certificate ? { key: certificate.key, cert: certificate.certificate } : {}),
    onAuth: ({ username, password }, _session, done) =>
      username === mailUser.user && password === mailUser.password
        ? done(null, { user: username })
        : done(new Error('Invalid username or password')),
    onRcptTo: (_address, _session, done) => {
      const { refusal } = mails;
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null);
    },
    onData: (stream, session, done) => {
      void simpleParser(stream).then(parsed => {
        const mail: ReceivedMail = {
          to: session.envelope.rcptTo.map(({ address }) => address).join(),
          from: parsed.from?.text ?? '',
          subject: parsed.subject ?? '',
          text: parsed.text ?? '',
          html: parsed.html || '',
          messageId: parsed.messageId ?? '',
          header: name => {
            const line = parsed.headerLines.find(({ key }) => key === name.toLowerCase())?.line;
            return line
              ?.slice(name.length + 1)
              .replaceAll(/\r?\n\s+/g, ' ')
              .trim();
          },
        };
        received.push(mail);
        waiting.shift()?.(received[taken++]!);
        done();
      }, done);
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mails: MailServer = {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    refusal: undefined,
    next: () =>
      taken < received.length
        ? Promise.resolve(received[taken++]!)
        : new Promise(resolve => waiting.push(resolve)),
    [Symbol.asyncDispose]: () => new Promise(resolve => server.close(() => resolve())),
  };
  return mails;
}
