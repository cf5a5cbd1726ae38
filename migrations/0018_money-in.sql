-- Money that comes in: account numbers of wallets at providers, what arrives at them, and what is still to be confirmed.

alter table accounts drop constraint accounts_kind;
alter table accounts add constraint accounts_kind check (kind in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET',
  'PAYOUT_CLEARING', 'PROVIDER_FLOAT', 'FEE_INCOME', 'TAX_PAYABLE', 'SUSPENSE', 'COLLECTION_RECEIVABLE'));

alter table transactions drop constraint transactions_category;
alter table transactions add constraint transactions_category check (category in ('STORE_TO_MERCHANT', 'SUBACCOUNT',
  'SUBACCOUNT_TO_MERCHANT', 'WALLET_FUNDING', 'COLLECTION', 'MANUAL_CREDIT', 'PAYOUT'));
