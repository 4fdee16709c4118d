import fc from 'fast-check';
import { expect, it } from 'vitest';
import { strippedPath } from './path.ts';

it.each([
  ['/', '/'],
  ['/products/winter-shoes/index.html', '/products/winter-shoes/index.html'],
  ['/api/v2/users', '/api/v2/users'],
  ['/.env', '/.env'],
  ['/../../etc/passwd', '/../../etc/passwd'],
  ['/wp-admin/admin-ajax.php', '/wp-admin/admin-ajax.php'],
  ['/js/jquery-3.6.0.min.js', '/js/jquery-3.6.0.min.js'],
  ['/getUserProfile', '/getUserProfile'],
  ['/caf%C3%A9/%E6%9D%B1%E4%BA%AC', '/café/東京'],
  ['/api/getHttpsPort', '/api/getHttpsPort'],
  ['/api/findById', '/api/findById'],
  ['/oauth2-v1/mp3-2fa', '/oauth2-v1/mp3-2fa'],
])('keeps the names of pages: %s', (path, stripped) => expect(strippedPath(path)).toBe(stripped));

it.each([
  ['a number', '/orders/12345', '/orders/:id'],
  ['a code over several segments', '/keys/a1b2/c3d4/e5f6/a7b8', '/keys/:id/:id/:id/:id'],
  ['a short number', '/orders/7', '/orders/:id'],
  ['a UUID', '/users/3f2b8c1e-9d4a-4b6f-8e2a-1c5d7f9a0b3c/edit', '/users/:id/edit'],
  ['a hash', '/reset/9e107d9d372bb6826bd81d3542a419d6', '/reset/:id'],
  ['an email address', '/u/alex@example.com', '/u/:data'],
  ['an encoded email address', '/u/alex%40example.com', '/u/:data'],
  ['one encoded twice', '/u/alex%2540example.com', '/u/:data'],
  ['base64', '/t/dGhpcyBpcyBhIHNlY3JldA==', '/t/:data'],
  ['base64url', '/t/dGhpcyBpcyBhIHNlY3JldA', '/t/:id'],
  ['random letters', '/t/qWeRtYuIoPaSdFgHjK', '/t/:id'],
  ['a JWT', '/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '/t/:id'],
  ['a key', '/k/sk_live_4eC39HqLyjWDarjtT1zdp7dc', '/k/:id'],
  ['a phone number', '/call/555-123-4567', '/call/:id'],
  ['a date of birth', '/born/1980-02-29', '/born/:id'],
  ['a record number', '/patients/MRN0012345', '/patients/:id'],
  ['markup', '/<script>alert(1)<%2fscript>', '/:data'],
  ['control characters', '/a%0d%0aSet-Cookie', '/:data'],
  ['a matrix parameter', '/login;jsessionid=ABCDEF', '/:data'],
  ['a code in groups', '/invite/k3f9-x2mq-8zrt', '/invite/:id'],
  ['a code in groups of capitals', '/redeem/C776-GXU3-85DS-76B9', '/redeem/:id'],
  ['letters that are no word', '/t/qwrtzpsdfa', '/t/:id'],
  ['its own placeholder', '/:id', '/:data'],
  ['broken escapes', '/%zz/%', '/:data/:data'],
  ['a long word', `/${'a'.repeat(300)}`, '/:data'],
])('replaces %s', (_, path, stripped) => expect(strippedPath(path)).toBe(stripped));

it('is bounded, without control characters, and well-formed for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.webPath()), path => {
      const stripped = strippedPath(`/${path}`);
      expect(stripped.length).toBeLessThanOrEqual(256);
      expect(stripped).toMatch(/^[^\p{C}]*$/u);
      expect(stripped.isWellFormed()).toBe(true);
    }),
  );
});
