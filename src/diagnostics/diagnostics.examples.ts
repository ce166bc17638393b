/** Examples of the API document. */

const gatewayId = '0198c0de-0000-7000-8000-00000000d001';
const agentDefId = '0198c0de-0000-7000-8000-00000000a001';
const tool = { toolId: '0198c0de-0000-7000-8000-00000000c001', toolName: 'getAccountByNo' };

export const ailingSkillExample = {
  skillId: '0198c0de-0000-7000-8000-00000000b001',
  name: 'Account Management',
  tools: [{ ...tool, problems: [{ code: 'missing_from_gateway', gatewayId }] }],
  agents: [
    { agentDefId, name: 'Account Agent', serviceId: 'com.example.account-agent-1.0.0', envTag: 'dev' },
  ],
};

export const gatewayReportExample = {
  gatewayId,
  serviceId: 'com.example.gateway-1.0.0',
  envTag: 'dev',
  inSync: 11,
  checkedAt: '2026-11-21T09:30:00.000Z',
  items: [{ ...tool, finding: 'missing_from_gateway' }],
};

export const agentReportExample = {
  agentDefId,
  gateways: [{ gatewayId, serviceId: 'com.example.gateway-1.0.0' }],
  total: 12,
  items: [{ ...tool, problems: [{ code: 'missing_from_gateway', gatewayId }] }],
};
