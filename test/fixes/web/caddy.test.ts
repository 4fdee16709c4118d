import { caddy } from './caddy.ts';
import { proveFixes } from './prove.ts';

proveFixes(caddy, {
  'headers.framing_unrestricted': {},
  'headers.nosniff_missing': {},
  'headers.referrer_policy': {},
  'headers.permissions_policy_missing': {},
  'headers.cross_origin_isolation': {},
  'headers.cacheable_session': {
    configuration: {
      'caddy.site': 'file_server\nheader Set-Cookie "session=value; Secure; HttpOnly; SameSite=Lax"',
    },
  },
  'headers.content_type_missing': {},
  'headers.version_banner': {},
});
