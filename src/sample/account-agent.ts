import type { AgentProfile } from '../agents/shared.js';
import type { ToolPatch } from '../tools/shared.js';

/** The sample’s data beyond its documents. */

export const agentApi = {
  apiId: 'tidewell-account-agent',
  apiName: 'account-agent',
  apiDesc: 'Answers questions about the accounts of Tidewell’s customers, and changes what they ask for.',
} as const;

export const agentProfile: AgentProfile = {
  modelProvider: null,
  modelName: null,
  temperature: null,
  maxTokens: null,
  personas: ['support'],
  maxSensitivityTier: 'confidential',
  gatewayIds: [],
  domains: ['utilities'],
  semanticNamespaces: [],
};

export const accountApi = { apiId: 'tidewell-accounts', apiName: 'Tidewell account service' } as const;

export const skillFields = {
  name: 'household-accounts',
  description:
    'Find a household’s account, explain its bills, enter meter readings, open an account and change its details.',
  version: '1.0.0',
} as const;

/** Categories and tags of the sample's one skill. */
export const skillTaxonomy = {
  category: 'customer-care',
  tags: ['accounts', 'billing', 'metering'],
} as const;

export const billWorkflow = { namespace: 'tidewell', name: 'explain-bill', version: '1.0.0' } as const;

/** What operators say of each tool, by name. */
export const toolFields: Readonly<Record<string, ToolPatch>> = {
  searchAccounts: {
    ...routedBy('accounts', 'confidential', ['find account', 'lookup', 'postcode', 'meter']),
    examplePrompts: ['Find the account of Ines Okafor in Harwick', 'Whose meter is W20481733?'],
  },
  readAccount: {
    ...routedBy('accounts', 'confidential', ['account details', 'balance', 'tariff']),
    examplePrompts: ['What tariff does TW-204-881 have?', 'Does this household owe us money?'],
  },
  openAccount: {
    ...routedBy('accounts', 'internal', ['new customer', 'moving in', 'contract']),
    examplePrompts: ['Open an account for the new tenant from the first of December'],
  },
  changeAccount: {
    ...routedBy('accounts', 'confidential', ['change tariff', 'contact details', 'direct debit']),
    examplePrompts: ['Switch TW-204-881 to the green tariff'],
  },
  closeAccount: {
    ...routedBy('accounts', 'internal', ['moving out', 'end of contract']),
    examplePrompts: ['They move out on the thirtieth, close the account'],
  },
  listBills: {
    ...routedBy('billing', 'confidential', ['invoice', 'unpaid', 'debt']),
    examplePrompts: ['Which bills of TW-204-881 are still open?'],
  },
  refundPayment: {
    ...routedBy('billing', 'restricted', ['pay back', 'credit']),
    examplePrompts: ['Pay the credit of 84 back'],
  },
  listReadings: {
    ...routedBy('metering', 'internal', ['consumption', 'meter history']),
    examplePrompts: ['How much water did they use last winter?'],
  },
  enterReading: {
    ...routedBy('metering', 'internal', ['meter reading', 'correct a reading']),
    examplePrompts: ['The meter shows 4711.3 today'],
  },
};

function routedBy(area: string, sensitivityTier: string, semanticKeywords: string[]): ToolPatch {
  const routing = {
    domain: `utilities.${area}`,
    sensitivityTier,
    semanticKeywords,
    targetPersonas: ['support'],
  };
  return { routing };
}
