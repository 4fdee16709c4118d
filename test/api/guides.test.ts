import { beforeAll, expect, it } from 'vitest';
import { allDetectors } from '../../src/detectors/catalogue.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

it('explains every check at the URL in reports, without an account', async () => {
  const answer = await fetch(`${service.url}/docs/checks`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await answer.text();
  const ids = allDetectors().flatMap(({ checks }) => checks.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(60);
  for (const id of ids) expect(page.split(`<article id="${id}">`), id).toHaveLength(2);
});

it('explains scans to people who find them in their logs, and how to stop them', async () => {
  const page = await (await fetch(`${service.url}/docs/scanner`)).text();
  expect(page).toContain('Parapet/0.0.0');
  expect(page).toContain('User-agent: Parapet');
});

it.each(['/docs/checks', '/docs/scanner', '/docs/guides.css'])('runs no script at %s', async path => {
  const answer = await fetch(service.url + path);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await answer.text()).not.toMatch(/<script|\son\w+=|style="/);
});
