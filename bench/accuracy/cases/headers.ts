import type { Family } from '../case.ts';
import { framingCases, referrerCases, sniffingCases } from '../headers/framing-cases.ts';
import { isolationCases, permissionCases } from '../headers/isolation-cases.ts';
import { headerCases } from '../headers/material.ts';
import { bannerCases, contentCases, hstsCases } from '../headers/response-cases.ts';
import { observatory } from '../specialists/observatory.ts';
import { websiteCase } from '../website-case.ts';

/** A document whose encoding only the header could declare. */
const withoutEncoding = websiteCase({
  name: 'content: no encoding',
  headers: { 'content-type': 'text/html' },
  answers: {
    '/': '<!doctype html><title>Portal</title><p>Welcome <a href="/">Home</a> <a href="/privacy">Privacy</a>',
  },
  flaws: ['headers.content_type_missing'],
});

export const headersFamily: Family = {
  name: 'headers',
  cases: [
    ...headerCases([['hardened', {}, null]]),
    ...framingCases,
    ...sniffingCases,
    ...referrerCases,
    ...permissionCases,
    ...isolationCases,
    ...hstsCases,
    ...bannerCases,
    ...contentCases,
    withoutEncoding,
  ],
  specialists: [
    observatory({
      'cross-origin-resource-policy': 'crossOriginResourcePolicyTest',
      'referrer-policy': 'referrerPolicyTest',
      'strict-transport-security': 'strictTransportSecurityTest',
      'x-content-type-options': 'xContentTypeOptionsTest',
      'x-frame-options': 'xFrameOptionsTest',
    }),
  ],
};
