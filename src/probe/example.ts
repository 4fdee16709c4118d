/** What `parapet probe init` writes. A test reads it as a configuration. */
export const exampleConfiguration = `# Configuration of a Parapet probe: assesses targets in this network and reports to the service.
# Check it with \`parapet probe check --config FILE\`; nothing is sent then.

# Name of this probe, unique within its system.
name: office

service:
  # Address of the service, without /api/v1.
  url: https://parapet.example.com
  # The word in the service's headers and keys, if it has another: its PARAPET_BRAND.
  # brand: service
  # The probe key: the JSON of the dashboard (or of \`parapet keys mint --kind probe --json\`), mode 0600.
  # Without key_file, the key comes from PARAPET_TOKEN, PARAPET_TOKEN_ID and PARAPET_SIGNING_KEY.
  key_file: /etc/parapet/probe-key.json
  # Certificate authorities to trust besides the public ones.
  # ca_file: /etc/ssl/internal-ca.pem
  # HTTP proxy on the way to the service. Without it, HTTPS_PROXY and NO_PROXY of the environment are used.
  # proxy: http://proxy.internal:3128

# Events wait here until the service has confirmed them. The oldest are dropped at a limit, and counted.
spool:
  folder: /var/lib/parapet-probe
  max_size: 64 MB
  max_age: 14d

# How often the probe reports that it runs. Three missed reports open a finding.
heartbeat: 1m

# Reports databases and websites that listen on this host and are not targets, on ports 5432 to 5434, 3306, 3307,
# 6379, 6380, 443 and 80.
inventory: on

# What to assess. \`source\` is the ID of a source in probe mode. Passwords are read from the environment, a file or the
# output of a command, each time they are needed; after changing an environment variable, restart the probe. They never
# leave this host.
targets:
  - name: orders
    kind: postgres
    source: 00000000-0000-4000-8000-000000000001
    host: db.internal:5432
    database: orders
    user: parapet_reader
    password_command: pass show parapet/orders
    # Certificate authorities of the target to trust besides the public ones.
    # ca_file: /etc/ssl/internal-ca.pem
    every: 1h

  # - name: shop
  #   kind: mysql
  #   source: 00000000-0000-4000-8000-000000000002
  #   host: 10.0.0.7
  #   database: shop
  #   user: parapet_reader
  #   password_file: /etc/parapet/shop-password
  #   # Without TLS, the password and all answers cross the network unencrypted.
  #   tls: on
  #   every: 6h

  # - name: sessions
  #   kind: redis
  #   source: 00000000-0000-4000-8000-000000000005
  #   host: 10.0.0.8
  #   user: parapet_reader
  #   password_file: /etc/parapet/sessions-password
  #   tls: on
  #   every: 6h

  # - name: intranet
  #   kind: website
  #   source: 00000000-0000-4000-8000-000000000003
  #   host: https://intranet.example.com
  #   # Optional sign-in: user with password_env, password_file or password_command; or a header:
  #   # header: x-api-key
  #   # header_value_env: INTRANET_KEY
  #   # Networks that redirects may lead to, besides public addresses and the host itself.
  #   # networks: [10.0.0.0/8]
  #   every: 1d

  # - name: project
  #   kind: supabase
  #   source: 00000000-0000-4000-8000-000000000004
  #   host: abcdefgh.supabase.co
  #   key_env: SUPABASE_SERVICE_ROLE_KEY
  #   anon_key_env: SUPABASE_ANON_KEY
`;
