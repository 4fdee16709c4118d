import { expect, it } from 'vitest';
import { engineText, networkText, ruleSetText } from './shield-labels.ts';

it('names firewalls and rule sets as their makers do', () => {
  expect(engineText('modsecurity3', '3.0.9')).toBe('ModSecurity 3.0.9');
  expect(engineText('modsecurity2', null)).toBe('ModSecurity 2');
  expect(engineText('crowdsec', null)).toBe('CrowdSec');
  expect(ruleSetText('OWASP_CRS', '3.3.4')).toBe('OWASP CRS 3.3.4');
  expect(ruleSetText('OWASP_CRS', null)).toBe('OWASP CRS');
  expect(ruleSetText(null, null)).toBe('–');
});

it('does not show a decision about one address as one about its network', () => {
  expect(networkText({ scope: 'ip', network: '203.0.113.0/24' })).toBe('An address in 203.0.113.0/24');
  expect(networkText({ scope: 'ip', network: '203.0.113.9' })).toBe('203.0.113.9');
  expect(networkText({ scope: 'range', network: '203.0.113.0/24' })).toBe('203.0.113.0/24');
  expect(networkText({ scope: 'country', network: null })).toBe('country');
});
