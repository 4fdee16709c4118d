import { expect, it } from 'vitest';
import { response } from '../../../detectors/website/hardened-capture.ts';
import { offeredPlaces } from './offered-places.ts';

const offeredBy = (body: string, place?: string) =>
  offeredPlaces(response('https://portal.example.com/', { body }), [], place);

const places = (body: string, place?: string) =>
  offeredBy(body, place).places.map(({ url, parameter, request }) => {
    const { method = 'GET', url: asked, body: sent = '' } = request("x'");
    return `${url} ${parameter}: ${method} ${asked.pathname} ${sent}`.trim();
  });

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

it('says that it leaves out further paths than six', () => {
  const links = (count: number) =>
    Array.from({ length: count }, (_, at) => `<a href="/folder${at}/2">A</a><a href="/folder${at}/3">B</a>`);
  expect(offeredBy(links(6).join(''))).toMatchObject({ places: { length: 6 }, leftOut: null });
  expect(offeredBy(links(7).join(''))).toMatchObject({
    places: { length: 6 },
    leftOut: expect.stringMatching(/only 6 paths/),
  });
});

it('offers no path of a link that may act', () => {
  for (const link of [
    '<a href="/deleteuser/2">A</a>',
    '<a href="/user/%2564elete/2">A</a>',
    '<a href="/user/2">Delete</a>',
    '<a href="/user/2" onclick="return confirm()">A</a>',
    '<a href="/user/2" data-confirm="Sure?">A</a>',
  ])
    expect(places(link)).toEqual([]);
  expect(places('', 'https://portal.example.com/deleteuser/* parameter in the path')).toEqual([]);
});

it('offers no form whose labels, buttons or handlers do more than search', () => {
  const field = '<input name="q">';
  const sent = (attributes: string, inner: string) =>
    places(`<form method="post" ${attributes}>${inner}</form>`);
  expect(sent('action="/search"', `<label>Name</label>${field}<button>Search</button>`)).toHaveLength(1);
  for (const [attributes, inner] of [
    ['action="/users/filter"', `${field}<button>OK</button>`],
    ['action="/search"', `<legend>Delete all users who match</legend>${field}<button>OK</button>`],
    ['action="/search" title="Delete users"', field],
    ['action="/search"', `${field}<button title="Delete all">OK</button>`],
    ['action="/search"', `${field}<button><img alt="Delete all"></button>`],
    ['action="/search"', `${field}<button aria-labelledby="h">Go</button>`],
    ['action="/search"', `${field}<button onclick="return sure()">Go</button>`],
    ['action="/content/find"', `${field}<button>Find and substitute</button>`],
    ['action="/search"', `${field}<button>Usuń wszystkie</button>`],
    ['action="/search"', `${field}<button>删除</button>`],
  ] as const)
    expect(sent(attributes, inner), inner).toEqual([]);
});

it('offers no link whose icon or data suggest an action', () => {
  for (const link of [
    '<a href="/users/5"><img alt="Delete"></a>',
    '<a class="btn-delete" href="/users/5"><i class="icon-trash"></i></a>',
    '<a data-action="delete" href="/users/5">x</a>',
    '<a href="/users/5">Delete this item, and everything that belongs to it, for good</a>',
    '<a href="/удалить/5">x</a>',
  ])
    expect(places(link), link).toEqual([]);
  expect(places('<a class="dropdown-toggle btn" data-bs-toggle="tab" href="/users/5">Ada</a>')).toHaveLength(
    1,
  );
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
    form('action="/search"', '<input name="q"><input type="hidden" name="op" value="rm">'),
    form('action="/search"', '<input name="q"><button>Delete all</button>'),
    form('action="/search" onsubmit="return confirm()"', '<input name="q">'),
    `${form('id="f" action="/search"', '<input name="q">')}<button form="f" name="do" value="delete">x</button>`,
    `<div>fetch('/api/search', {method: 'POST', body: JSON.stringify({q: text})})</div>`,
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
