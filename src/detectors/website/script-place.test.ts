import { expect, it } from 'vitest';
import { scriptPlace } from './script-place.ts';

it.each([
  ['webpack', '/static/js/main.3f9a1c2b.chunk.js', '/static/js/main.*.chunk.js'],
  ['webpack, a chunk', '/static/js/12.3f9a1c2b.chunk.js', '/static/js/*.*.chunk.js'],
  ['webpack, a hash alone', '/8d1f0c3a9b7e6d5c4b3a.js', '/*.js'],
  ['Vite', '/assets/index-BxYz12_a.js', '/assets/index-*.js'],
  ['Vite, letters only', '/assets/index-DkjfhABc.js', '/assets/index-*.js'],
  ['Vite, a dash in the hash', '/assets/user-profile-a-3Kd_x9.js', '/assets/user-profile-*.js'],
  ['esbuild', '/chunk-QK4XWU2P.js', '/chunk-*.js'],
  ['Next.js', '/_next/static/chunks/4821-3f9a1c2b4d5e6f7a.js?dpl=1', '/_next/static/chunks/*-*.js'],
  [
    'Next.js, a build’s folder',
    '/_next/static/Zq3vXk9_pL2mNc8RtYwBd/_buildManifest.js',
    '/_next/static/*/_buildManifest.js',
  ],
  ['Sprockets', `/assets/application-${'0123456789abcdef'.repeat(4)}.js`, '/assets/application-*.js'],
  ['Django', '/static/app.55e7cbb9ba48.js', '/static/app.*.js'],
  ['a path parameter', '/app.js;jsessionid=1234', '/app.js'],
  ['a request ID', '/in/0b1c2d3e-a000-4b00-8c00-00000000d00d/submit', '/in/*/submit'],
])('%s', (_, path, place) => {
  expect(scriptPlace(`https://a.example${path}`)).toBe(`https://a.example${place}`);
});

it.each([
  '/js/app.js',
  '/js/jquery-3.7.1.min.js',
  '/js/bootstrap5.bundle.min.js',
  '/js/jquery.validate.js',
  '/js/LoginForm-UserProfile.js',
  '/js/form-validate.js',
  '/ajax/libs/jquery/1.11.0/jquery.min.js',
  '/wp-includes/js/dist/interactivity.js',
])('keeps %s, which is a chosen name', path => {
  expect(scriptPlace(`https://a.example${path}`)).toBe(`https://a.example${path}`);
});

it('is the same for two builds', () => {
  const places = ['index-C3rT9xQ1.js', 'index-zzTopQWE.js', 'index-_9a-bC2d.js'].map(name =>
    scriptPlace(`https://a.example/assets/${name}`),
  );
  expect(new Set(places)).toEqual(new Set(['https://a.example/assets/index-*.js']));
});
