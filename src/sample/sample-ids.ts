/** Ids of the sample, fixed so that the README and the greeting can name them. */
export const sample = {
  hostId: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01',
  agentDefId: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02',
  /** Service of the agent: what its token carries as `sid`. */
  agentServiceId: 'tidewell.account-agent-1.0.0',
  /** Service that provides the API. */
  apiServiceId: 'tidewell.accounts-1.0.0',
  envTag: 'dev',
} as const;
