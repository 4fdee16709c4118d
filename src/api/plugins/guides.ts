import type { FastifyReply } from 'fastify';
import type { FixStep } from '../../contract/remediation.ts';
import { stepHeading, stepNotes, testText } from '../../contract/remediation-text.ts';
import {
  type CheckDescription,
  type DetectorDescription,
  surfaceTitles,
} from '../../domain/check-description.ts';
import { safeguardLine } from '../../domain/safeguards.ts';
import type { App } from '../../http/app.ts';

export interface GuideOptions {
  readonly detectors: readonly DetectorDescription[];
  /** User-Agent of scan requests. */
  readonly userAgent: string;
}

/** Public pages: documentation of all checks, and information about scan requests for site operators. */
export function guides(app: App, { detectors, userAgent }: GuideOptions): void {
  const checks = Buffer.from(page('Checks', checksBody(detectors)));
  const scanner = Buffer.from(page('About this scanner', scannerBody(userAgent)));
  const hidden = { schema: { hide: true } as object };
  app.get('/docs/checks', hidden, async (_request, reply) => send(reply, 'text/html; charset=utf-8', checks));
  app.get('/docs/scanner', hidden, async (_request, reply) =>
    send(reply, 'text/html; charset=utf-8', scanner),
  );
  app.get('/docs/guides.css', hidden, async (_request, reply) =>
    send(reply, 'text/css; charset=utf-8', style),
  );
}

const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  return reply
    .headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' })
    .type(type)
    .send(body);
}

function checksBody(detectors: readonly DetectorDescription[]): string {
  const surfaces = [...new Set(detectors.map(({ surface }) => surface))];
  const sections = surfaces.map(surface => {
    const checks = detectors
      .filter(detector => detector.surface === surface)
      .flatMap(detector => detector.checks);
    return `<h2 id="${surface}">${escaped(surfaceTitles[surface] ?? surface)}</h2>${checks.map(article).join('')}`;
  });
  const links = surfaces.map(
    surface => `<a href="#${surface}">${escaped(surfaceTitles[surface] ?? surface)}</a>`,
  );
  return `<p>All checks of this version. The category of a finding is the ID of its check. A check that could not be decided is “not
assessed”: it neither passes nor resolves a finding. Each check lists the safeguards of 45 CFR Part 164 that it relates to, with the
reason. A finding lowers the control of the safeguard. A pass supports the control only where the check says “A pass shows it”. None of
this states compliance.</p><nav>${links.join(' · ')}</nav>${sections.join('')}`;
}

function article({
  id,
  title,
  severity,
  why,
  remediation,
  references,
  safeguards,
}: CheckDescription): string {
  const links = references.map(
    reference => `<li><a href="${escaped(reference)}" rel="noreferrer">${escaped(reference)}</a></li>`,
  );
  const mapped = safeguards.map(one => `<li>${escaped(safeguardLine(one))}</li>`).join('');
  return `<article id="${id}"><h3>${escaped(title)} <a href="#${id}" aria-label="Link to this check">#</a></h3>
<p><code>${id}</code> <span class="${severity}">${severity}</span></p><p>${escaped(why)}</p>
<h4>Fix</h4><p>${withCode(remediation.advice)}</p>${remediation.steps.map(step).join('')}<ul>${links.join('')}</ul>
${mapped === '' ? '' : `<p>HIPAA safeguards:</p><ul>${mapped}</ul>`}</article>`;
}

function step(fix: FixStep): string {
  const notes = stepNotes(fix).map(note => ` ${withCode(note)}`);
  return `<h5>${escaped(stepHeading(fix))}</h5><pre>${escaped(fix.code)}</pre><p>${escaped(testText(fix))}.${notes.join('')}</p>`;
}

function scannerBody(userAgent: string): string {
  return `<p>Requests with the User-Agent <code>${escaped(userAgent)}</code> are sent by a security scan of this Parapet service. The
organization that requested the scan confirmed that it is allowed to scan this site, and authorized the scan.</p>
<h2>What a scan does</h2>
<ul>
<li>A scan is read-only. It sends GET requests, one at a time. It does not submit forms or try passwords.</li>
<li>It sends at most 60 requests within 20 seconds, and about a dozen TLS handshakes.</li>
<li>It requests the home page, the scripts that the page loads from the same site, and a fixed list of paths where files are often
exposed by mistake, such as <code>/.env</code> and <code>/backup.zip</code>. The content of exposed files is not stored. Their existence
is reported to the organization.</li>
<li>A full scan requires proof that the organization controls the domain. It sends at most 600 requests within 5 minutes. It also uses
OPTIONS and TRACE, requests more paths, and adds marker text to existing query parameters to detect unescaped output. It avoids
requests that could change data. Hosts and ports that the proof does not cover get only the requests of a regular scan.</li>
</ul>
<h2>How to stop scans</h2>
<p>Contact the operator of this service, or block scans in <code>/robots.txt</code> with a group for <code>User-agent: Parapet</code>:</p>
<pre>User-agent: Parapet
Disallow: /</pre>
<p>A scan stops when the site answers with 429 or 503.</p>`;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Parapet</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="guides.css"></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`;
}

/** Text between backticks is code. */
function withCode(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const style = `:root { color-scheme: light dark; --line: light-dark(#d8dce2, #3a4150); --code: light-dark(#eef1f5, #242a35) }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; background: light-dark(#fff, #151a22); color: light-dark(#1c2330, #d9dee7) }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 6rem }
a { color: light-dark(#0b5cad, #7db8f5) }
h1, h2, h3 { line-height: 1.25 }
h4, h5 { margin: 1rem 0 .25rem }
article { border-top: 1px solid var(--line); padding: .5rem 0 1rem; overflow-wrap: anywhere }
article:target { outline: 2px solid light-dark(#0b5cad, #7db8f5); outline-offset: .5rem }
code, pre { font: .875em ui-monospace, monospace; background: var(--code); border-radius: 3px; padding: .1em .3em }
pre { padding: .75rem }
.critical, .high { color: light-dark(#b3261e, #ff8a80); font-weight: 600 }
.medium { color: light-dark(#8a5200, #ffc16b); font-weight: 600 }
`;
