/** The kinds whose content is about one source. */
const ofSources = "'probe.assessment', 'probe.drift'";
const uuid = "'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'";

/**
 * Joins the source `s` of event `e`, which was sent with key `k`. Only what a probe sent has the known form, and events that were
 * stored by an older version may not.
 */
export const joinSource = `left join sources s on s.system_id = e.system_id and s.id = case
  when e.channel = 'events' and e.kind in (${ofSources}) and k.kind = 'probe' and e.payload ->> 'source_id' ~ ${uuid}
  then (e.payload ->> 'source_id')::uuid end`;

/** That source as JSON. */
export const sourceOfEvent =
  "case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end as source";
