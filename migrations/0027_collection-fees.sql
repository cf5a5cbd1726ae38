-- The operator's fee on payments in, with VAT on it: a dated rule with a cap, what each payment was charged, and what a session quoted.

alter table fee_rules drop constraint fee_rules_kind;
alter table fee_rules add constraint fee_rules_kind check (kind in ('TRANSFER_FEE', 'VAT', 'STAMP_DUTY', 'COLLECTION_FEE'));
alter table fee_rules add column cap_minor bigint;
alter table fee_rules add constraint fee_rules_cap check (cap_minor >= 0);
-- Who bears it towards the payer is said by the payment session; of the payment it is always taken from the wallet.
alter table fee_rules add constraint fee_rules_collection
  check (kind <> 'COLLECTION_FEE' or (payer = 'RECEIVER' and exempt_purposes = '{}'));
comment on column fee_rules.cap_minor is
  'The most that the rule charges, however large its base. Null: no cap. Part of the digest only where there is one: older digests are without it.';
comment on table fee_rules is
  'Fees, VAT and stamp duty change by decree on a date, so they are dated rows. A rule applies to amounts from '
  'min_amount_minor to max_amount_minor, both included, and from effective_from up to, but not at, effective_to. It '
  'charges flat_minor plus rate_basis_points of its base, at most cap_minor. The base is the amount of the payout for '
  'TRANSFER_FEE and STAMP_DUTY, the amount of the payment in for COLLECTION_FEE, and the fee for VAT. rounding says what '
  'becomes of a fraction of a minor unit.';

alter table inbound_payments add column fee_minor bigint not null default 0;
alter table inbound_payments add column vat_minor bigint not null default 0;
-- Here and below, the rows that are there are looked at in 0028, without a lock that payments wait for.
alter table inbound_payments add constraint inbound_payments_charges
  check (fee_minor >= 0 and vat_minor >= 0 and fee_minor + vat_minor <= amount_minor) not valid;
comment on column inbound_payments.fee_minor is
  'The operator''s fee, taken from the wallet with the credit by the rule in force then; zero while the payment is in no wallet.';
comment on column inbound_payments.vat_minor is 'VAT on the fee.';

alter table payment_sessions add column fee_bearer text not null default 'MERCHANT';
alter table payment_sessions add column fee_minor bigint not null default 0;
alter table payment_sessions add column vat_minor bigint not null default 0;
alter table payment_sessions add constraint payment_sessions_fee_bearer check (fee_bearer in ('MERCHANT', 'CUSTOMER'))
  not valid;
alter table payment_sessions add constraint payment_sessions_charges
  check (fee_minor >= 0 and vat_minor >= 0 and (fee_bearer = 'CUSTOMER' or fee_minor + vat_minor = 0))
  not valid;
comment on column payment_sessions.fee_minor is
  'What the payer is asked for beyond the amount where the customer bears the fee, as quoted when the session was made. What is charged follows from what arrives.';
comment on column payment_sessions.vat_minor is 'The VAT in what was quoted.';
