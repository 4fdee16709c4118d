/**
 * SQL of the firewalls that report on sources with Shield on: `source_id`, `forwarder_id` and `engine`. CrowdSec names no website: it
 * reports on all of its system, if it has reported since Shield is on.
 */
export const firewallsOfSources = `select source_id, forwarder_id, engine from shield_source_firewalls
  union select h.source_id, w.forwarder_id, w.engine
  from shields h join sources c on c.id = h.source_id join shield_forwarders r on r.system_id = c.system_id
    join shield_firewalls w on w.forwarder_id = r.id and w.engine = 'crowdsec' and w.last_seen_at >= h.turned_on_at`;
