import type { Severity } from '../../contract/severity.ts';
import type { Line, Message, MessageSection } from '../message.ts';

/** Dark enough for white text with a contrast of 4.5:1, on a light and a dark page. */
const badges: Readonly<Record<Severity, string>> = {
  critical: '#b42318',
  high: '#c2410c',
  medium: '#8a5a00',
  low: '#1d5fc4',
  info: '#51606f',
};

/**
 * Mail programs remove style elements in part, so that the light colors are in attributes, and those for dark pages override them where the
 * program reads them. No image is loaded: its server would learn that the mail was opened.
 */
const dark = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important; }
  .card { background: #1f2228 !important; border-color: #353a43 !important; }
  .text { color: #e8eaed !important; }
  .dim { color: #aab2bd !important; }
  .link { color: #8ab4f8 !important; }
  .rule { border-color: #353a43 !important; }
}`;

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const textStyle = `${font};color:#1c2430`;
const dimStyle = `${font};color:#576474`;
const linkStyle = 'color:#1d5fc4;text-decoration:underline';

/** The HTML part of a mail, readable at every width from 320 pixels on. */
export function asHtml({ subject, intro, sections, action, reason, unsubscribe }: Message): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title><style>${dark}</style></head>
<body class="page" style="margin:0;padding:0;background:#f3f5f8">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;text-align:left">
<tr><td class="dim" style="${dimStyle};font-size:14px;font-weight:600;padding:0 4px 12px">Parapet</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #dde3ea;border-radius:8px;padding:24px">
<h1 class="text" style="${textStyle};font-size:20px;line-height:1.3;margin:0 0 8px">${escaped(subject)}</h1>
<p class="text" style="${textStyle};font-size:15px;line-height:1.5;margin:0">${escaped(intro)}</p>
${sections.map(sectionOf).join('\n')}
${action ? buttonOf(action) : ''}
</td></tr>
<tr><td class="dim" style="${dimStyle};font-size:13px;line-height:1.5;padding:16px 4px">${footerOf(reason, unsubscribe)}</td></tr>
</table></td></tr></table></body></html>
`;
}

function sectionOf({ heading, url = null, lines, more }: MessageSection): string {
  const rows = lines.map(rowOf).join('');
  const rest = more ? `<p style="margin:8px 0 0;font-size:14px" class="dim">${linked(more)}</p>` : '';
  return `<h2 class="text" style="${textStyle};font-size:16px;line-height:1.4;margin:24px 0 4px;word-break:break-word">${linked({ text: heading, url })}</h2>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows}</table>${rest}`;
}

function rowOf({ severity, text, detail, url = null }: Line): string {
  const badge = severity
    ? `<span style="${font};display:inline-block;background:${badges[severity]};color:#ffffff;font-size:12px;font-weight:600;border-radius:4px;padding:1px 6px;margin-right:8px">${capitalized(severity)}</span>`
    : '';
  const below = detail
    ? `<div class="dim" style="${dimStyle};font-size:13px;line-height:1.5;word-break:break-word">${escaped(detail)}</div>`
    : '';
  return `<tr><td class="rule text" style="${textStyle};font-size:15px;line-height:1.5;padding:10px 0;border-bottom:1px solid #e7ebf0;word-break:break-word">${badge}${linked({ text, url })}${below}</td></tr>`;
}

function buttonOf({ text, url }: NonNullable<Message['action']>): string {
  if (url === null) return '';
  return `<p style="margin:24px 0 0"><a href="${escaped(url)}" style="${font};display:inline-block;background:#1d5fc4;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none;border-radius:6px;padding:10px 18px">${escaped(text)}</a></p>`;
}

function footerOf(reason: Message['reason'], unsubscribe: Message['unsubscribe']): string {
  const off = unsubscribe ? linked({ text: 'Unsubscribe', url: unsubscribe }) : '';
  const why = reason
    ? `${escaped(reason.text)} ${linked({ text: 'Change notifications', url: reason.url })}`
    : '';
  return [why, off].filter(Boolean).join(' &middot; ');
}

function linked({ text, url }: { readonly text: string; readonly url: string | null }): string {
  return url === null
    ? escaped(text)
    : `<a class="link" href="${escaped(url)}" style="${linkStyle}">${escaped(text)}</a>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, character => entities[character]!);

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
