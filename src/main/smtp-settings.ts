import { secretOf } from '../domain/secret-variable.ts';
import type { SmtpSettings } from '../messages/mail/smtp.ts';
import { ConfigurationError } from './configuration-error.ts';

const example = 'smtp://user:password@mail.example.com:587';

/**
 * The mail server of the operator: `smtps://` uses TLS from the first byte, `smtp://` requires STARTTLS, except on this machine or with
 * `?starttls=off`. Undefined without `PARAPET_SMTP_URL`. Throws `ConfigurationError`, which never repeats the URL.
 */
export function readSmtpSettings(
  env: NodeJS.ProcessEnv,
  publicUrl: string | undefined,
): SmtpSettings | undefined {
  const value = secretOf(env, 'PARAPET_SMTP_URL');
  const from = env.PARAPET_MAIL_FROM || undefined;
  if (value === undefined) {
    if (from) throw new ConfigurationError('PARAPET_MAIL_FROM requires PARAPET_SMTP_URL');
    return undefined;
  }
  const malformed = () => new ConfigurationError(`PARAPET_SMTP_URL must be a URL such as ${example}`);
  if (!URL.canParse(value)) throw malformed();
  const url = new URL(value);
  const { protocol, hostname, port, pathname, hash, search } = url;
  if (!/^smtps?:$/.test(protocol) || hostname === '' || !/^\/?$/.test(pathname) || hash !== '')
    throw malformed();
  if (search !== '' && search !== '?starttls=off')
    throw new ConfigurationError('PARAPET_SMTP_URL can have no parameter but starttls=off');
  if (!from || !/^[^\r\n<>]{0,200}<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(from))
    throw new ConfigurationError(
      'PARAPET_SMTP_URL requires PARAPET_MAIL_FROM: the address that sends, such as Parapet <parapet@example.com>',
    );
  if (!publicUrl)
    throw new ConfigurationError(
      'PARAPET_SMTP_URL requires PARAPET_PUBLIC_URL, to which the links in mail lead',
    );
  const isImplicit = protocol === 'smtps:';
  const isPlain = search !== '' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const decoded = (part: string) => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw malformed();
    }
  };
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isImplicit ? 465 : 587)),
    tls: isImplicit ? 'implicit' : isPlain ? 'none' : 'required',
    ...(url.username ? { user: decoded(url.username), password: decoded(url.password) } : {}),
    from,
  };
}
