import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import { actionText, actorText, targetText } from './entry-text.ts';

const id = '0f17c972-1111-4222-8333-444455556666';
const actor = (kind: AuditEntry['actor']['kind'], name: string | null = null) =>
  actorText({ actor: { kind, id, name } });
const target = (kind: AuditEntry['object']['kind'], name: string | null, detail = {}) =>
  targetText({ object: { kind, id, name }, detail });

it('names actors, by the first part of their id where they have no name', () => {
  expect(actor('person', 'Ada Berg')).toBe('Ada Berg');
  expect(actor('person')).toBe('Person 0f17c972');
  expect(actor('key', 'CI')).toBe('API key CI');
  expect(actor('key')).toBe('API key 0f17c972');
  expect(actor('operator')).toBe('The operator');
  expect(actor('service')).toBe('The service');
});

it('names the target of an invitation by its email address', () => {
  expect(target('invitation', null, { email: 'ben@example.org' })).toBe('ben@example.org');
  expect(target('source', 'Portal')).toBe('Portal');
  expect(target('source', null, { email: 'ben@example.org' })).toBe('0f17c972');
});

it('shows the code of an action that this version does not know', () => {
  expect(actionText({ action: 'key.revoked' })).toMatch(/API key/);
  expect(actionText({ action: 'tea.made' })).toBe('tea.made');
});
