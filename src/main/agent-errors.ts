/** Names of the errors of probe and forwarder that the person who runs them can fix: their message is shown without a stack. */
export const agentErrors = [
  'AgentConfigurationError',
  'ExampleNotWritten',
  'FolderInUse',
  'OpenToOthers',
  'ProxyUnusable',
  'SpoolUnusable',
  'ConfigurationUnreadable',
] as const;
