-- Payments in say how they were paid, and rules may be of one channel: a card costs something else than a transfer, is available at another time, and part of it is kept in reserve.

alter table inbound_payments add column channel text;
alter table inbound_payments add column reserve_minor bigint not null default 0;
-- Here and below, the rows that are there are looked at in 0060, without a lock that payments wait for.
alter table inbound_payments add constraint inbound_payments_channel check (channel in ('BANK_TRANSFER', 'CARD', 'USSD'))
  not valid;
alter table inbound_payments add constraint inbound_payments_reserve
  check (reserve_minor >= 0 and fee_minor + vat_minor + reserve_minor <= amount_minor) not valid;
comment on column inbound_payments.channel is
  'How it was paid, as the provider says. Null: it does not say, or the payment is from before this was kept.';
comment on column inbound_payments.reserve_minor is
  'What of it was kept in reserve when a wallet was credited; see reserves. Zero while the payment is in no wallet.';

alter table fee_rules add column channel text;
alter table fee_rules add constraint fee_rules_channel
  check (channel is null or (kind = 'COLLECTION_FEE' and channel in ('BANK_TRANSFER', 'CARD', 'USSD')));
comment on column fee_rules.channel is
  'Of a COLLECTION_FEE: it prices payments of this channel alone, before the rule for all. Null: all. Part of the digest only where there is one.';

alter table availability_rules add column channel text;
alter table availability_rules add constraint availability_rules_channel
  check (channel in ('BANK_TRANSFER', 'CARD', 'USSD'));
comment on column availability_rules.channel is
  'Payments of this channel alone, before the rule for all of the same merchant. Null: all. Part of the digest only where there is one.';
comment on table availability_rules is
  'When a payment in is available, as dated rows: a merchant''s own before those for all merchants, of these the one of the channel before the one for all channels, and of several the one that began last. Without any: on confirmation.';
