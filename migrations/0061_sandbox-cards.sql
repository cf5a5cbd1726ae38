-- Payers of a sandbox pay by card, or by transfer, on a page that plays a provider's: such a credit has our reference in place of an account number.

alter table sandbox_credits add column channel text not null default 'BANK_TRANSFER';
alter table sandbox_credits add constraint sandbox_credits_channel check (channel in ('BANK_TRANSFER', 'CARD'));
alter table sandbox_credits drop constraint sandbox_credits_account_number;
alter table sandbox_credits add constraint sandbox_credits_account_number
  check (account_number ~ '^([0-9a-f]{32}|[0-9]{10})$' and (channel <> 'CARD' or length(account_number) = 32));
comment on column sandbox_credits.channel is 'How it was paid.';
comment on column sandbox_credits.account_number is
  'To which it was paid: an account number, or our reference of a page of the sandbox.';
