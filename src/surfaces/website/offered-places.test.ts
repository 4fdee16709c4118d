import { expect, it } from 'vitest';
import { response } from '../../detectors/website/hardened-capture.ts';
import { offeredPlaces } from './offered-places.ts';

const places = (body: string, place?: string) =>
  offeredPlaces(response('https://portal.example.com/', { body }), [], place).map(
    ({ url, parameter, request }) => {
      const { method = 'GET', url: asked, body: sent = '' } = request("x'");
      return `${url} ${parameter}: ${method} ${asked.pathname} ${sent}`.trim();
    },
  );

it('offers identifiers in paths, each folder once', () => {
  expect(
    places(
      '<a href="/doctor/2">A</a><a href="/doctor/3">B</a><a href="/files/a.pdf">C</a><a href="/about">D</a>',
    ),
  ).toEqual([
    "https://portal.example.com/doctor/* in the path: GET /doctor/x'",
    "https://portal.example.com/files/* in the path: GET /files/x'",
  ]);
});

it('offers searches that are sent with POST, and no other form', () => {
  const form = (attributes: string, fields: string) => `<form method="post" ${attributes}>${fields}</form>`;
  const hidden = '<input type="hidden" name="in" value="all">';
  expect(places(form('action="/find"', `${hidden}<input name="q">`))).toEqual([
    'https://portal.example.com/find q of a form: POST /find in=all&q=x%27',
  ]);
  for (const other of [
    form('action="/newsletter"', '<input name="email">'),
    form('action="/search"', '<input name="q"><input type="password" name="p">'),
    form('action="/search"', '<input name="q"><textarea name="note"></textarea>'),
    form(
      'action="/search"',
      '<input name="q"><button name="do" value="delete" aria-label="Delete">x</button>',
    ),
    form('action="/search/save"', '<input name="q">'),
    form('action="https://other.example/search"', '<input name="q">'),
    '<form action="/search"><input name="q"></form>',
  ])
    expect(places(other)).toEqual([]);
});

it('offers searches that scripts send as JSON, and nothing that may act', () => {
  const call = (path: string, sent: string) =>
    `<script>fetch("${path}", {method: "POST", body: JSON.stringify({${sent}})})</script>`;
  expect(places(call('/api/search', 'q: text'))).toEqual([
    `https://portal.example.com/api/search q of a form: POST /api/search {"q":"x'"}`,
  ]);
  for (const other of [
    call('/api/pay', 'sum'),
    call('/api/search', 'q, save'),
    call('/api/search/delete', 'q'),
  ])
    expect(places(other)).toEqual([]);
});

it('requests the place of a finding that the page no longer links to', () => {
  expect(places('', 'https://portal.example.com/doctor/* parameter in the path')).toEqual([
    "https://portal.example.com/doctor/* in the path: GET /doctor/x'",
  ]);
});
