-- Rows that a statement names by their whole key were found by a shorter index: on a table that was empty when a connection
-- planned, all cost the same and the newest index is taken (docs/decisions/newest-index-wins-ties.md). A settlement of
-- 4,000 lines took 10 s so, where it takes one. The keys of these tables are made last; and what finds accounts and
-- wallets by their owner has an index that nothing else can be planned with.
alter table api_keys drop constraint api_keys_pk, add constraint api_keys_pk primary key (merchant_id, id);
alter table customers drop constraint customers_pk, add constraint customers_pk primary key (merchant_id, mode, id);
alter table dedupe_keys drop constraint dedupe_keys_pk, add constraint dedupe_keys_pk primary key (merchant_id, mode, subject_id, scope);
alter table manual_credits drop constraint manual_credits_pk, add constraint manual_credits_pk primary key (merchant_id, mode, id);
alter table provider_settlement_lines drop constraint provider_settlement_lines_pk, add constraint provider_settlement_lines_pk primary key (settlement_id, id);
alter table settlement_lines drop constraint settlement_lines_pk, add constraint settlement_lines_pk primary key (import_id, id);
alter table webhook_deliveries drop constraint webhook_deliveries_pk, add constraint webhook_deliveries_pk primary key (merchant_id, mode, id);

alter table accounts drop constraint accounts_owner_unique;
create unique index accounts_owner_unique on accounts (merchant_id, mode, kind, owner_id) where created_at > '-infinity';
alter table wallets drop constraint wallets_owner_unique;
create unique index wallets_owner_unique on wallets (merchant_id, mode, owner_id) where created_at > '-infinity';
