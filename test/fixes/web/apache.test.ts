import { apache } from './apache.ts';
import { proveFixes } from './prove.ts';

proveFixes(apache, {
  'headers.framing_unrestricted': {},
  'headers.nosniff_missing': {},
  'headers.referrer_policy': {},
  'headers.permissions_policy_missing': {},
  'headers.cross_origin_isolation': {},
  'headers.cacheable_session': {
    configuration: {
      'apache.host': 'Header always set Set-Cookie "session=value; Secure; HttpOnly; SameSite=Lax"',
    },
  },
  'headers.content_type_missing': {},
  'headers.version_banner': {},
});
