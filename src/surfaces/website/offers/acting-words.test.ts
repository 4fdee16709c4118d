import { describe, expect, it } from 'vitest';
import { captionMayAct, labelMayAct, linkMayAct, mayAct } from './acting-words.ts';

const link = (path: string) => linkMayAct(new URL(path, 'https://a.example'), []);

describe('paths', () => {
  it.each([
    ...['/api/deleteaccount', '/api/transfer', '/admin/deleteall', '/admin/shutdown', '/tools/flush-cache'],
    ...[
      '/deleteuser',
      '/userdelete',
      '/delete-all',
      '/deleteAll',
      '/DeleteAll',
      '/DELETE',
      '/users/5/delete.php',
    ],
    ...[
      '/withdraw',
      '/wallet/withdrawal',
      '/transfer-pricing/articles',
      '/reboot',
      '/system/power-off',
      '/log-out',
    ],
    ...[
      '/LogOut',
      '/addtocart',
      '/adduser',
      '/banuser',
      '/userban',
      '/killsession',
      '/dropdb',
      '/resetpasswords',
    ],
    ...[
      '/sendmail',
      '/clearcache',
      '/cache_clear',
      '/runjobs',
      '/payinvoice',
      '/opt-out',
      '/unsubscribed-users',
    ],
    ...['/konto/loeschen', '/konto/löschen', '/benutzerloeschen', '/vertrag/kuendigen', '/ueberweisung'],
    ...['/compte/supprimer', '/virement', '/annuler', '/desactiver', '/désactiver', '/motdepasse/effacer'],
    ...[
      '/usuario/eliminar',
      '/eliminarusuario',
      '/borrar',
      '/transferencia',
      '/cancelar-pedido',
      '/cerrar-sesion/apagar',
    ],
    ...['/utente/elimina', '/cancellaaccount', '/disattiva', '/bonifico', '/rimuovi'],
    ...['/conta/excluir', '/apagar', '/remover', '/desativar', '/cancelamento'],
    ...['/gebruiker/verwijderen', '/accountverwijderen', '/opzeggen', '/uitschrijven', '/overboeking'],
  ])('%s may act', path => expect([mayAct(path), link(path)]).toEqual([true, true]));

  it.each([
    ...[
      '/posts/%64elete/5',
      '/posts/%2564elete/5',
      '/posts/%252564elete/5',
      '/%u0064elete',
      '/DE%4CETE',
      '/de%c2%adlete',
    ],
    ...[
      '/ｄｅｌｅｔｅ',
      '/%EF%BD%84elete',
      '/l%C3%B6schen',
      '/lo%CC%88schen',
      '/%zz/%64elete',
      '/%25252525252564elete',
    ],
  ])('%s may act, however it is encoded', path => expect([mayAct(path), link(path)]).toEqual([true, true]));

  it.each([
    ...[
      '/',
      '/backup/',
      '/admin/',
      '/old/site.sql',
      '/export',
      '/settings',
      '/address',
      '/addresses',
      '/datasets',
    ],
    ...[
      '/dataset',
      '/payments',
      '/payroll',
      '/banner',
      '/bank/branches',
      '/model/etc',
      '/statistics',
      '/newsletter',
    ],
    ...[
      '/notebooks',
      '/pages/50%25-off',
      '/presets',
      '/sudoku',
      '/cameras',
      '/dropdown',
      '/environment',
      '/status',
    ],
    ...[
      '/private/Documents',
      '/übersicht',
      '/produkte',
      '/recherche',
      '/buscar',
      '/ricerca',
      '/zoeken',
      '/pesquisa',
    ],
    ...['/entfernung', '/erkundung', '/retirement', '/granular', '/sending', '/runtime', '/joiners', '/%'],
  ])('%s does not', path => expect(mayAct(path)).toBe(false));
});

describe('links', () => {
  it.each([
    ...[
      '/users?id=7&op=del',
      '/x?cmd=rm',
      '/x?do=ban',
      '/server?do=shutdown',
      '/cache?do=flush',
      '/x?op=frobnicate',
    ],
    ...['/x?delete=1', '/x?id=5&action=kick', '/x?deleteUser=5', '/x?a=%2564elete', '/x?status=deleted&id=5'],
    ...['/order?id=3', '/password?forgot=1', '/x?a=de%00lete&b=remove', '/x?ACTION=Unlink'],
  ])('%s may act', path => expect(link(path)).toBe(true));

  it.each([
    ...[
      '/doctors?department=eyes&page=2',
      '/x?do=view&id=2',
      '/x?op=',
      '/x?cmd=12',
      '/x?sort=created_at',
      '/x?q=a%',
    ],
    ...['/item?id=5&lang=en', '/x?status=published', '/x?next=/account'],
  ])('%s does not', path => expect(link(path)).toBe(false));

  it('may act on the names of their parameters', () => {
    expect(linkMayAct(new URL('https://a.example/x'), ['removeItem'])).toBe(true);
  });
});

it.each(['Delete my account', 'Send', 'Kündigen', 'Book now', 'Transférer', 'Place order', 'Sign up'])(
  'the button %s may act',
  text => expect(labelMayAct(text)).toBe(true),
);

it.each([
  'Search',
  'Submit',
  'Go',
  'Apply filters',
  'Suchen',
  'Update results',
  'Clear',
  'Rechercher',
  'New search',
])('the button %s does not', text => expect(labelMayAct(text)).toBe(false));

it.each(['Delete', 'Remove from cart', 'Löschen', 'Ban'])('the link %s may act', text =>
  expect(captionMayAct(text)).toBe(true),
);

it.each(['Download', 'Next', 'More doctors', 'Latest orders', 'Open'])('the link %s does not', text =>
  expect(captionMayAct(text)).toBe(false),
);

it('reads a long text in linear time', () => {
  const started = performance.now();
  for (const text of ['a', 'delet', 'add', '%25', '%64', 'ab ', 'aB', '\u0301'])
    mayAct(text.repeat(100_000 / text.length));
  expect(performance.now() - started).toBeLessThan(2_000);
});
