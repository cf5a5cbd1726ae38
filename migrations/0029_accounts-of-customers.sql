-- A merchant gives one of its customers an account number for ever: what comes to it says which customer paid.

alter table virtual_accounts add column customer_id uuid;
alter table virtual_accounts add column holder_name text;
alter table virtual_accounts add column holder_email text;
alter table virtual_accounts add column holder_phone text;
alter table virtual_accounts add column identity_sealed text;
alter table virtual_accounts add column closed_at timestamptz;
-- A wallet has few accounts at providers, so the rows are looked at here.
alter table virtual_accounts drop constraint virtual_accounts_due;
alter table virtual_accounts add constraint virtual_accounts_due
  check (case status when 'REQUESTED' then due_at is not null when 'CLOSED' then true else due_at is null end);
update virtual_accounts set closed_at = updated_at where status = 'CLOSED';
alter table virtual_accounts add constraint virtual_accounts_closed check ((closed_at is not null) = (status = 'CLOSED'));
alter table virtual_accounts add constraint virtual_accounts_holder
  check (num_nonnulls(customer_id, holder_name, holder_email) in (0, 3)
         and (customer_id is not null or num_nonnulls(holder_phone, identity_sealed) = 0)
         and (identity_sealed is null or status in ('REQUESTED', 'FAILED')));
comment on table virtual_accounts is
  'An account at a provider, from the request on: of a wallet, or of one customer, whose payments go to that wallet. Its account numbers are in virtual_account_numbers: one provider may give several.';
comment on column virtual_accounts.customer_id is 'Whose account it is. Null: the wallet''s own.';
comment on column virtual_accounts.holder_name is
  'The customer as it is reported to the provider, the same each time: some providers know an account by the e-mail address.';
comment on column virtual_accounts.identity_sealed is
  'BVN and NIN of the customer, sealed for this row. Gone once the account is open: nothing needs it any more.';
comment on column virtual_accounts.due_at is
  'When a worker next asks the provider to open it, or to close what is closed here; while one does, the end of its lease.';
comment on column virtual_accounts.reason is 'Why it is not open yet, could not be opened, or is not closed at the provider yet.';
comment on column virtual_accounts.closed_at is 'From then on no wallet is credited with what comes to its numbers.';

drop index virtual_accounts_one;
create unique index virtual_accounts_one on virtual_accounts (merchant_id, mode, wallet_id, rail)
  where status in ('REQUESTED', 'OPEN') and customer_id is null;
create unique index virtual_accounts_one_of_customer on virtual_accounts (merchant_id, mode, customer_id, wallet_id, rail)
  where status in ('REQUESTED', 'OPEN') and customer_id is not null;
-- A wallet may have the accounts of a hundred thousand customers; its own are found without reading those.
drop index virtual_accounts_of_wallet;
create index virtual_accounts_of_wallet on virtual_accounts (merchant_id, mode, wallet_id, rail) where customer_id is null;
create index virtual_accounts_of_customer on virtual_accounts (merchant_id, mode, customer_id, requested_at, id)
  where customer_id is not null;
-- Here and below, the condition is true of every row, and only the lists name it: nothing else is planned with these.
create index virtual_accounts_by_time on virtual_accounts (merchant_id, mode, requested_at, id)
  where requested_at > '-infinity';
create index virtual_accounts_by_wallet on virtual_accounts (merchant_id, mode, wallet_id, requested_at, id)
  where requested_at > '-infinity';
create index virtual_accounts_by_status on virtual_accounts (merchant_id, mode, status, requested_at, id)
  where requested_at > '-infinity';

alter table inbound_payments add column customer_id uuid;
comment on column inbound_payments.customer_id is
  'The customer whose account number it was paid to, or whom the payment session names. Null: nobody said.';
-- Only what names a customer is planned with it.
create index inbound_payments_of_customer on inbound_payments (merchant_id, mode, customer_id, id)
  where customer_id is not null;
update inbound_payments p set customer_id = s.customer_id
  from payment_sessions s
 where s.merchant_id = p.merchant_id and s.mode = p.mode and s.id = p.virtual_account_id and s.customer_id is not null;
