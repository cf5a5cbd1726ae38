import type { Permission, Principal, Scope } from '../access/index.ts';

/** What a page may show, by which right it is read. */
const TOPICS = {
  balances: { scope: 'wallet:read' },
  accountNumbers: { scope: 'wallet:read' },
  transactions: { scope: 'transaction:read' },
  payouts: { scope: 'payout:read' },
  batches: { scope: 'payout:read' },
  beneficiaries: { scope: 'payout:read' },
  limits: { scope: 'payout:read' },
  paymentsIn: { scope: 'collection:read' },
  sessions: { scope: 'collection:read' },
  stores: { scope: 'store:read' },
  subaccounts: { scope: 'subaccount:read' },
  approvals: { permission: 'approval:read' },
  profile: { scope: 'merchant:read' },
} as const satisfies Record<string, { scope: Scope } | { permission: Permission }>;

export type Topic = keyof typeof TOPICS;

export const ALL_TOPICS = Object.keys(TOPICS) as readonly Topic[];

/** What an event changes, by the word that its type begins with. A test holds it to every event that there is. */
const CHANGES: Readonly<Record<string, readonly Topic[]>> = {
  transaction: ['balances', 'transactions'],
  payout: ['balances', 'transactions', 'payouts', 'limits'],
  batch: ['balances', 'batches', 'limits'],
  approval: ['approvals'],
  beneficiary: ['beneficiaries'],
  limit: ['limits'],
  inbound_payment: ['balances', 'transactions', 'paymentsIn'],
  refund: ['balances', 'transactions', 'paymentsIn'],
  refund_rule: ['paymentsIn'],
  dispute: ['balances', 'transactions', 'paymentsIn'],
  reserve: ['balances', 'transactions'],
  merchant_settlement: ['balances', 'transactions', 'payouts'],
  merchant_settlement_settings: ['profile'],
  wallet_settlement_settings: ['profile'],
  payment_session: ['sessions'],
  payment_link: ['sessions'],
  customer: ['sessions'],
  collection_settings: ['sessions'],
  virtual_account: ['accountNumbers'],
  store: ['stores', 'balances'],
  subaccount: ['subaccounts', 'balances'],
  merchant: ['profile'],
  sandbox: ['balances', 'payouts', 'batches'],
  settlement: ['transactions'],
  collection: ['balances', 'paymentsIn'],
  webhook: [],
};

/** Whether the topics of events of this type are known; one that is not changes everything. */
export const knowsType = (type: string): boolean => wordOf(type) in CHANGES;

/** What an event of this type changes. */
export const topicsOf = (type: string): readonly Topic[] => CHANGES[wordOf(type)] ?? ALL_TOPICS;

const wordOf = (type: string): string => type.split('.', 1)[0] as string;

/** The topics that somebody may hear of. */
export function topicsFor({ scopes, member }: Pick<Principal, 'scopes' | 'member'>): ReadonlySet<Topic> {
  return new Set(
    ALL_TOPICS.filter((topic) => {
      const right: { scope?: Scope; permission?: Permission } = TOPICS[topic];
      if (right.scope !== undefined) return scopes.has(right.scope);
      return right.permission !== undefined && member?.permissions.has(right.permission) === true;
    }),
  );
}
