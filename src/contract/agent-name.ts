import { Type } from 'typebox';
import { form } from './values.ts';

/** The form of names of probes, their targets, and forwarders. */
export const agentNames = {
  form: /^[a-z0-9]+(-[a-z0-9]+)*$/,
  maxLength: 63,
  words: 'must be lowercase letters, digits and single hyphens',
} as const;

/** Name of a probe or forwarder, unique within its system, or of a target of a probe. */
export const AgentName = Type.String({
  minLength: 1,
  maxLength: agentNames.maxLength,
  ...form(agentNames.form.source, agentNames.words),
});
