/** The groups of operations, in the order of the reference. */
export const TAGS = [
  { name: 'Merchant', description: 'The profile of the business.' },
  { name: 'Wallets', description: 'The main wallet, its balances and its statement.' },
  { name: 'Stores', description: 'Branches with wallets of their own.' },
  { name: 'Subaccounts', description: 'Child accounts of the merchant.' },
  { name: 'Banks', description: 'The bank directory and name enquiry.' },
  { name: 'Payouts', description: 'Money out to a bank account, now or at a date.' },
  { name: 'Bulk payouts', description: 'Many payouts at once: validated, corrected, then dispatched together.' },
  { name: 'Beneficiaries', description: 'Saved bank accounts.' },
  { name: 'Approvals', description: 'What waits for the approval of others, and the rules that ask for it.' },
  { name: 'Transactions', description: 'What moved, what became of it, and the evidence.' },
  { name: 'Events', description: 'What happened, in order.' },
  { name: 'Webhooks', description: 'The address that events are sent to, its secret and its deliveries.' },
  { name: 'Access', description: 'Short-lived tokens in place of secret keys.' },
  { name: 'Sandbox', description: 'Test money and test time.' },
];
