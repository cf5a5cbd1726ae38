-- What moved in each wallet on each day in Lagos is added up once, so that totals and charts never read a long history.

create table daily_totals (
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  day date not null,
  through_sequence bigint not null,
  credits_minor bigint not null,
  debits_minor bigint not null,
  own_credits_minor bigint not null,
  own_debits_minor bigint not null,
  charges_minor bigint not null,
  returned_charges_minor bigint not null,
  constraint daily_totals_pk primary key (merchant_id, mode, wallet_id, day),
  constraint daily_totals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint daily_totals_through check (through_sequence > 0),
  constraint daily_totals_credits
    check (own_credits_minor >= 0 and returned_charges_minor >= 0 and credits_minor >= own_credits_minor + returned_charges_minor),
  constraint daily_totals_debits
    check (own_debits_minor >= 0 and charges_minor >= 0 and debits_minor >= own_debits_minor + charges_minor)
);
comment on table daily_totals is
  'What the posted transfers of one wallet on one day in Lagos come to, in minor units. Derived from the transfers by a '
  'worker, which may be behind: what follows through_sequence of a wallet''s last day is added when it is read.';
comment on column daily_totals.through_sequence is
  'The last sequence of the account that is counted. The first is the one after that of the wallet''s day before.';
comment on column daily_totals.own_credits_minor is 'Part of the credits: from another wallet of the same merchant.';
comment on column daily_totals.own_debits_minor is 'Part of the debits: to another wallet of the same merchant.';
comment on column daily_totals.charges_minor is 'Part of the debits: fees, VAT and stamp duty.';
comment on column daily_totals.returned_charges_minor is 'Part of the credits: charges that came back with a payout.';

create table merchant_daily_totals (
  merchant_id uuid not null,
  mode text not null,
  day date not null,
  credits_minor bigint not null,
  debits_minor bigint not null,
  own_credits_minor bigint not null,
  own_debits_minor bigint not null,
  charges_minor bigint not null,
  returned_charges_minor bigint not null,
  constraint merchant_daily_totals_pk primary key (merchant_id, mode, day),
  constraint merchant_daily_totals_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table merchant_daily_totals is
  'The sums of daily_totals over all wallets of a merchant in one mode, written with them.';

create table daily_total_cursors (
  merchant_id uuid not null,
  mode text not null,
  event_sequence bigint not null,
  constraint daily_total_cursors_pk primary key (merchant_id, mode),
  constraint daily_total_cursors_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint daily_total_cursors_event_sequence check (event_sequence >= 0)
);
comment on table daily_total_cursors is
  'Up to which event the books of a merchant and mode are added up. One worker at a time locks the row.';
