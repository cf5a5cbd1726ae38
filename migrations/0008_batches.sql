-- Bulk payouts: up to 100,000 items that are checked, held in chunks and paid by any number of workers.

create table batches (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  status text not null,
  reason text,
  purpose text not null,
  scenario text,
  version integer not null,
  item_count integer not null,
  open_items integer not null,
  due_at timestamptz,
  expires_at timestamptz not null,
  dispatched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  source text not null default 'JSON',
  file_name text,
  valid_items integer not null default 0,
  invalid_items integer not null default 0,
  succeeded_items integer not null default 0,
  failed_items integer not null default 0,
  reversed_items integer not null default 0,
  items_digest text,
  digest_version integer,
  amount_minor bigint,
  fee_minor bigint,
  vat_minor bigint,
  stamp_duty_minor bigint,
  looked_up_to integer not null default 0,
  silent_since timestamptz,
  warned_items integer not null default 0,
  low_match_items integer not null default 0,
  content_digest text,
  dispatched_digest text,
  counted_on date,
  approval_id uuid,
  rules_version integer,
  duplicate_items integer not null default 0,
  duplicate_minor bigint not null default 0,
  holds_keys boolean not null default false,
  holding_since bigint,
  allow_duplicate boolean not null default false,
  constraint batches_pk primary key (merchant_id, mode, id),
  constraint batches_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batches_purpose check (purpose in ('GENERAL', 'SALARY', 'OWN_ACCOUNT')),
  constraint batches_status check (status in (
    'VALIDATING', 'NEEDS_FIX', 'READY', 'PENDING_APPROVAL', 'DISPATCHING', 'COMPLETED', 'PARTIALLY_COMPLETED',
    'CANCELLED', 'EXPIRED'
  )),
  constraint batches_counts check (item_count >= 0 and open_items >= 0),
  constraint batches_source check (source in ('JSON', 'CSV', 'XLSX'))
);
comment on table batches is
  'A bulk payout: its items are checked, corrected and then paid together. Every change takes the next version, so '
  'that a dispatch pays exactly the items that it read. The row counts its items as they progress, so that nobody '
  'has to count them.';
comment on column batches.open_items is 'Payouts of this batch that have not ended; counted down as they end.';
comment on column batches.due_at is
  'When a worker must next act: to validate, to expire or to conclude. Null: never again.';
comment on column batches.items_digest is
  'Digest of the items as they were at digest_version; valid only while that is the batch''s version.';
comment on column batches.amount_minor is 'What was held at dispatch; null before.';
comment on column batches.looked_up_to is
  'Position of the last item that this pass checked. Items about which the rail was silent are left to the next '
  'pass.';
comment on column batches.silent_since is 'Since when a bank has not answered.';
comment on column batches.warned_items is
  'Checked items with a warning, which does not stop a payment and so must be seen.';
comment on column batches.low_match_items is 'Items where the bank''s name is not much like the given one.';
comment on column batches.content_digest is
  'Digest of the items that would be paid, in any order; valid as items_digest is.';
comment on column batches.dispatched_digest is 'What a client was shown of the batch when it was dispatched.';
comment on column batches.counted_on is
  'The day (Africa/Lagos) whose limit its payouts were counted against. Null before the dispatch.';
comment on column batches.rules_version is 'As in payouts.';
comment on column batches.duplicate_items is
  'Items that repeat what was paid or waits. A dispatch is held to the figure that was shown.';
comment on column batches.holds_keys is
  'Its items count as taken by others although they have no keys yet: it waits for approval, or has chunks to '
  'expand.';
comment on column batches.holding_since is 'The event since which they do. Null: never.';
comment on column batches.allow_duplicate is 'As it was dispatched.';
create index batches_due on batches (merchant_id, mode, due_at) where due_at is not null;
-- Every single payout asks which batches hold keys for their items; mostly there is none.
create index batches_holding_keys on batches (merchant_id, mode, id) where holds_keys;
-- A batch is compared with those before it that are still to be dispatched.
create index batches_waiting on batches (merchant_id, mode, id) where status in ('VALIDATING', 'NEEDS_FIX', 'READY');

create table batch_items (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  batch_id uuid not null,
  position integer not null,
  amount_minor bigint not null,
  bank_code text not null,
  account_number text not null,
  narration text not null,
  phone_number text,
  account_name text,
  bank_name text,
  is_valid boolean not null,
  reason text,
  validated_at timestamptz,
  created_at timestamptz not null,
  given_name text,
  match_score integer,
  warnings text,
  given_amount text,
  directory_bank_code text,
  repeats text,
  constraint batch_items_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batch_items_valid check (
    not is_valid or (
      validated_at is not null and reason is null and account_name is not null and bank_name is not null
      and amount_minor > 0
    )
  ),
  constraint batch_items_match_score check (match_score between 0 and 100)
) with (fillfactor = 60);
comment on table batch_items is
  'One row of a bulk payout, kept as it was given, right or wrong. When it is dispatched it becomes the payout with '
  'the same id.';
comment on column batch_items.reason is 'Why it cannot be paid, in words for a clerk.';
comment on column batch_items.validated_at is 'Null: it was not checked yet.';
comment on column batch_items.given_name is 'The name that the file gave.';
comment on column batch_items.match_score is '0 to 100; null where no name was given or the bank has not answered.';
comment on column batch_items.warnings is 'JSON array of sentences; null for none.';
comment on column batch_items.given_amount is
  'The text of an amount that could not be read; its amount_minor is zero. Null for every other.';
comment on column batch_items.directory_bank_code is
  'The directory''s code of the bank, where the given one is another of its codes.';
comment on column batch_items.repeats is 'JSON: what the item repeats. Null: nothing.';
create index batch_items_batch on batch_items (merchant_id, batch_id, position);
-- PostgreSQL breaks ties between indexes by the newest: the key comes after those that it has to win against.
alter table batch_items add constraint batch_items_pk primary key (merchant_id, mode, id);
-- A payout to one account looks for it in the few batches that hold keys. The condition is true of every row and
-- named by this lookup only.
create index batch_items_by_account
  on batch_items (merchant_id, batch_id, account_number, amount_minor, position) where position > 0;

create table batch_chunks (
  merchant_id uuid not null,
  mode text not null,
  batch_id uuid not null,
  chunk integer not null,
  id uuid not null,
  first_position integer not null,
  last_position integer not null,
  item_count integer not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  vat_minor bigint not null,
  stamp_duty_minor bigint not null,
  amount_hold_id uuid not null,
  fee_hold_id uuid,
  vat_hold_id uuid,
  stamp_duty_hold_id uuid,
  due_at timestamptz,
  failed_at timestamptz,
  items_digest text,
  constraint batch_chunks_pk primary key (merchant_id, mode, batch_id, chunk),
  constraint batch_chunks_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batch_chunks_amounts check (
    item_count > 0 and amount_minor > 0 and fee_minor >= 0 and vat_minor >= 0 and stamp_duty_minor >= 0
  )
);
comment on table batch_chunks is
  'A dispatch holds the money of up to 100,000 items in chunks: few holds, made in one movement. A worker then '
  'expands a chunk by turning its hold into the holds of its items, so that any number of workers share a batch.';
comment on column batch_chunks.chunk is 'From 1.';
comment on column batch_chunks.id is 'Its id in the books: the transaction that its holds belong to.';
comment on column batch_chunks.fee_hold_id is 'A hold of zero is none.';
comment on column batch_chunks.due_at is
  'When a worker may expand it; while one does, the end of its lease. Null: it is expanded.';
comment on column batch_chunks.failed_at is 'It could not be expanded, and waits for its next attempt.';
comment on column batch_chunks.items_digest is
  'SHA-256 in hex over its items as they were dispatched: the chunk is expanded into exactly those.';
create index batch_chunks_due on batch_chunks (merchant_id, mode, due_at) where due_at is not null;

create table batch_uploads (
  merchant_id uuid not null,
  mode text not null,
  batch_id uuid not null,
  started_at timestamptz not null,
  constraint batch_uploads_pk primary key (merchant_id, mode, batch_id),
  constraint batch_uploads_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table batch_uploads is
  'Rows of a file are written in pieces before their batch exists. This row says that they are expected; the '
  'movement that makes the batch deletes it, and rows of an upload that was cut off are found by it and deleted.';
