import { type Fields, headerCases } from './material.ts';

const permission = 'headers.permissions_policy_missing';
const permissions = (value: Fields[string]) => ({ 'permissions-policy': value });

export const permissionCases = headerCases([
  ['permissions: missing', permissions(undefined), permission],
  [
    'permissions: only Feature-Policy',
    { ...permissions(undefined), 'feature-policy': "camera 'none'" },
    permission,
  ],
  ['permissions: the syntax of Feature-Policy', permissions("camera 'none'; microphone 'none'"), permission],
  [
    'permissions: only reports',
    { ...permissions(undefined), 'permissions-policy-report-only': 'camera=()' },
    permission,
  ],
  ['permissions: the camera for every origin', permissions('camera=*, microphone=()'), permission],
  ['permissions: the location for every origin, in a list', permissions('geolocation=(self *)'), permission],
  [
    'permissions: a second field with a wildcard',
    permissions(['camera=()', 'display-capture=*']),
    permission,
  ],
  ['permissions: repeated, the last one a wildcard', permissions('camera=(), camera=*'), permission],
  ['permissions: a comma at the end', permissions('camera=(), microphone=(),'), permission],
  [
    'permissions: own origin and a partner',
    permissions('geolocation=(self "https://maps.example"), camera=self'),
    null,
  ],
  [
    'permissions: harmless features for every origin',
    permissions('fullscreen=*, autoplay=*, camera=()'),
    null,
  ],
  ['permissions: as GitHub Pages and blogs have it', permissions('interest-cohort=()'), null],
  [
    'permissions: with a place for reports',
    permissions('camera=();report-to="main", geolocation=(self)'),
    null,
  ],
]);

const isolation = (what: string) => `headers.cross_origin_isolation ${what}`;

export const isolationCases = headerCases([
  ['opener: missing', { 'cross-origin-opener-policy': undefined }, isolation('opener')],
  ['opener: unsafe-none', { 'cross-origin-opener-policy': 'unsafe-none' }, isolation('opener')],
  [
    'opener: twice, which no browser reads',
    { 'cross-origin-opener-policy': ['same-origin', 'same-origin'] },
    isolation('opener'),
  ],
  [
    'opener: in capitals, which no browser reads',
    { 'cross-origin-opener-policy': 'Same-Origin' },
    isolation('opener'),
  ],
  ['opener: in quotes', { 'cross-origin-opener-policy': '"same-origin"' }, isolation('opener')],
  [
    'opener: an internal name of browsers',
    { 'cross-origin-opener-policy': 'same-origin-plus-coep' },
    isolation('opener'),
  ],
  ['opener: allows popups', { 'cross-origin-opener-policy': 'same-origin-allow-popups' }, null],
  [
    'opener: allows popups without an opener',
    { 'cross-origin-opener-policy': 'noopener-allow-popups' },
    null,
  ],
  [
    'opener: with a place for reports',
    { 'cross-origin-opener-policy': 'same-origin; report-to="coop"' },
    null,
  ],
  [
    'opener: only reports',
    { 'cross-origin-opener-policy': undefined, 'cross-origin-opener-policy-report-only': 'same-origin' },
    isolation('opener'),
  ],
  ['resources: missing', { 'cross-origin-resource-policy': undefined }, isolation('resource')],
  ['resources: same-site', { 'cross-origin-resource-policy': 'same-site' }, null],
  [
    'resources: cross-origin, for those that others embed',
    { 'cross-origin-resource-policy': 'cross-origin' },
    null,
  ],
  [
    'resources: twice, which no browser reads',
    { 'cross-origin-resource-policy': ['same-origin', 'same-origin'] },
    isolation('resource'),
  ],
  ['resources: in capitals', { 'cross-origin-resource-policy': 'SAME-ORIGIN' }, isolation('resource')],
  ['resources: an unknown value', { 'cross-origin-resource-policy': 'same' }, isolation('resource')],
  ['embedder: missing', { 'cross-origin-embedder-policy': undefined }, isolation('embedder')],
  ['embedder: credentialless', { 'cross-origin-embedder-policy': 'credentialless' }, null],
  ['embedder: unsafe-none', { 'cross-origin-embedder-policy': 'unsafe-none' }, isolation('embedder')],
  [
    'embedder: with a place for reports',
    { 'cross-origin-embedder-policy': 'require-corp;report-to="coep"' },
    null,
  ],
]);
