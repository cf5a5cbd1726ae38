-- Late payments, and what was paid above the amount asked, go back by a rule of the merchant's: its versions, and the payments that it is for.

-- Nothing ever wrote or read it: it has no versions.
drop table refund_rules;

create table refund_rules (
  merchant_id uuid not null,
  mode text not null,
  version integer not null,
  id uuid not null,
  late text not null,
  excess text not null,
  changed_by text not null,
  changed_at timestamptz not null,
  digest text not null,
  constraint refund_rules_pk primary key (merchant_id, mode, version),
  constraint refund_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refund_rules_version check (version > 0),
  constraint refund_rules_ways check (late in ('OFF', 'PROVIDER', 'PAYOUT') and excess in ('OFF', 'PROVIDER', 'PAYOUT'))
);
comment on table refund_rules is
  'What of payments for payment sessions goes back by itself, each version as it was made; the last one counts. Without one nothing does.';
comment on column refund_rules.late is 'Payments that came after their session had ended: OFF, or the way in which they go back.';
comment on column refund_rules.excess is 'The same of what was paid above the amount asked, and of a second payment.';
comment on column refund_rules.digest is 'A digest of the row, by which the proof finds an altered one.';

create table payments_to_refund (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  cause text not null,
  due_minor bigint not null,
  rule_version integer not null,
  status text not null,
  reason text,
  refund_id uuid,
  blocked_since timestamptz,
  due_at timestamptz,
  attempts integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payments_to_refund_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payments_to_refund_cause check (cause in ('LATE', 'EXCESS')),
  constraint payments_to_refund_due check (due_minor > 0),
  constraint payments_to_refund_status check (status in ('WAITING', 'REFUNDED', 'LEFT', 'REFUSED'))
);
comment on table payments_to_refund is
  'Payments in that a refund rule is for, written in the movement that books the payment. The row is the queue: whoever finds it due makes the refund, once.';
comment on column payments_to_refund.id is 'Of the payment.';
comment on column payments_to_refund.due_minor is 'What the payer did not owe: all of a late or second payment, or what is above the amount asked. What is taken back otherwise counts towards it.';
comment on column payments_to_refund.rule_version is 'Of the rule by which it is here, and once it is refunded, of the one by which it was.';
comment on column payments_to_refund.status is
  'LEFT: nothing goes back, because the rule was switched off, nothing is left of it, or the payment is no longer the merchant''s. REFUSED: it could not be made, and people have to.';
comment on column payments_to_refund.blocked_since is 'Since when something stands against it that may pass, such as too little money.';
create index payments_to_refund_due on payments_to_refund (merchant_id, mode, due_at) where due_at is not null;
create index payments_to_refund_refused on payments_to_refund (merchant_id, mode, updated_at) where status = 'REFUSED';
-- The newest index wins ties: what knows the key of a row finds it by that.
alter table payments_to_refund add constraint payments_to_refund_pk primary key (merchant_id, mode, id);
