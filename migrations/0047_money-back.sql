-- Money that goes back: what a merchant owes after a dispute, what is kept in reserve, and the transactions of refunds, disputes and reserves.

alter table accounts drop constraint accounts_kind;
alter table accounts add constraint accounts_kind check (kind in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET',
  'PAYOUT_CLEARING', 'PROVIDER_FLOAT', 'FEE_INCOME', 'TAX_PAYABLE', 'SUSPENSE', 'COLLECTION_RECEIVABLE',
  'PENDING_COLLECTIONS', 'PROVIDER_COST', 'MERCHANT_RECEIVABLE', 'RESERVE')) not valid;

alter table transactions drop constraint transactions_category;
alter table transactions add constraint transactions_category check (category in ('STORE_TO_MERCHANT', 'SUBACCOUNT',
  'SUBACCOUNT_TO_MERCHANT', 'WALLET_FUNDING', 'COLLECTION', 'MANUAL_CREDIT', 'PAYOUT', 'REFUND', 'DISPUTE',
  'RECEIVABLE_REPAYMENT', 'RESERVE', 'RESERVE_RELEASE')) not valid;
