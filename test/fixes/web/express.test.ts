import { express } from './express.ts';
import { proveFixes } from './prove.ts';

proveFixes(express, {
  'headers.framing_unrestricted': {},
  'headers.nosniff_missing': {},
  'headers.referrer_policy': {},
  'headers.permissions_policy_missing': {},
  'headers.cross_origin_isolation': {},
  'headers.cacheable_session': {
    configuration: {
      'express.app':
        "app.use((req, res, next) => { res.set('Set-Cookie', 'session=value; Secure; HttpOnly; SameSite=Lax'); next(); });",
    },
  },
  'headers.content_type_missing': {},
  'headers.version_banner': {},
});
