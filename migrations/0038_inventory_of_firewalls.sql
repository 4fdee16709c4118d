-- Hosts that clients of a firewall made up are forgotten, so that they leave room for others.
grant delete on inventory to {{app}};
