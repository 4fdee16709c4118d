import { expect, it } from 'vitest';
import type { HttpResponse } from '../../evidence/website.ts';
import { home, response } from './hardened-evidence.ts';
import { standInReason } from './stand-in.ts';

const page = (body: string, changes: Partial<HttpResponse> = {}) => response(home, { body, ...changes });
const rejected =
  '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 9849749215759513006<br><br><a href="javascript:history.back();">[Go Back]</a></body></html>';

it.each<[string, HttpResponse]>([
  ['F5', page(rejected)],
  ['Imperva', page('<html><body>Request unsuccessful. Incapsula incident ID: 92000-1</body></html>')],
  ['Imperva’s frame', page('<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>')],
  ['Sucuri', page('<title>Sucuri WebSite Firewall - Access Denied</title><p>Access Denied')],
  ['Sucuri’s script', page('<script>sucuri_cloudproxy_js="";</script>', { status: 307 })],
  [
    'Akamai',
    page(
      '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don\'t have permission to access "http&#58;&#47;&#47;a&#47;" on this server.<P>Reference&#32;&#35;18&#46;ab</BODY></HTML>',
    ),
  ],
  ['DDoS-Guard', page('<script src="/.well-known/ddos-guard/js-challenge/index.js"></script>')],
  ['Anubis', page('<script id="anubis_challenge" type="application/json">{}</script>')],
  ['SiteGround', page('', { status: 202, headers: [['sg-captcha', 'challenge']] })],
  ['SiteGround’s page', page('<meta http-equiv="refresh" content="30;/.well-known/sgcaptcha/?r=%2F">')],
  ['Cloudflare', page('<p>Wait', { headers: [['cf-mitigated', 'challenge']] })],
  ['AWS WAF', page('<p>Wait', { status: 202, headers: [['x-amzn-waf-action', 'captcha']] })],
  ['a refresh', page('<!doctype html><title>Wait</title><META content="3;URL=/a" HTTP-EQUIV=Refresh>Wait')],
  ['a Refresh header', page('<p>One moment', { headers: [['refresh', '0; url=/shop']] })],
])('knows what %s answers in place of a page', (_, answer) => {
  expect(standInReason(answer)).not.toBe(null);
});

it.each<[string, HttpResponse]>([
  ['that Imperva adds a script to', page('<script src="/_Incapsula_Resource?SWJIYLWA=719d"></script><p>Hi')],
  ['of DDoS-Guard', page('<p>Hi', { headers: [['server', 'ddos-guard']] })],
  ['about firewalls', page(`${rejected}${'<p>F5 answers so.'.repeat(200)}`)],
  ['that is refused by a firewall, as any other', page(rejected, { status: 403 })],
  ['that brings itself up to date', page('<meta http-equiv="refresh" content="300"><p>3 patients wait')],
  [
    'of an application that needs scripts',
    page('<noscript><meta http-equiv="refresh" content="0;url=/nojs"></noscript><script src=/a.js></script>'),
  ],
  [
    'that leads on behind a text',
    page(`<p>${'We have moved. '.repeat(20)}`, { headers: [['refresh', '5']] }),
  ],
  ['with a log-in', page('<input type=password>', { headers: [['refresh', '5']] })],
])('takes no page %s for one', (_, answer) => {
  expect(standInReason(answer)).toBe(null);
});
