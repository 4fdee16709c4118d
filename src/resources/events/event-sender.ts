import { probeEvents } from '../../contract/probe-events.ts';
import { shieldEvents } from '../../contract/shield-events.ts';

/** The kinds of probes and forwarders, whose names the service has validated. */
export const namedKinds = [...Object.keys(probeEvents), ...Object.keys(shieldEvents)];

/** Bytes of a payload that a list reads at most: to find a name, PostgreSQL parses all of it. */
const mostBytes = 32_768;

/**
 * SQL of the name of the probe or forwarder that sent an event `e`, with a key `k`. Of a large event, it is the only probe of
 * the key or the only forwarder of the system, if there is one.
 *
 * @param kinds SQL of `namedKinds`
 */
export const senderOfEvent = (kinds: string): string => `case
    when k.kind is distinct from 'probe' or e.kind <> all(${kinds}) then null
    when octet_length(e.payload::text) <= ${mostBytes} then
      e.payload #>> case e.channel when 'shield' then '{forwarder,name}'::text[] else '{probe,name}'::text[] end
    when e.channel = 'shield' then (
      select min(name) from shield_forwarders where system_id = e.system_id having count(*) = 1)
    else (
      select min(p.name) from probe_keys u join probes p on p.id = u.probe_id where u.key_id = e.key_id having count(*) = 1)
  end`;
