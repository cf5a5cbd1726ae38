-- What a provider takes from a settlement for a refund or a dispute is posted once, against the refund or dispute that it is of.

alter table provider_settlement_lines drop constraint provider_settlement_lines_result;
alter table provider_settlement_lines add constraint provider_settlement_lines_result check (result in ('MATCHED',
  'FEE_DIFFERS', 'MISSING_HERE', 'MISSING_THERE', 'AMOUNT_DIFFERS', 'NET_DIFFERS', 'CURRENCY_DIFFERS', 'MODE_DIFFERS',
  'STATUS_DIFFERS', 'ALREADY_SETTLED', 'DEDUCTION', 'DEDUCTION_MATCHED', 'DUPLICATE_LINE', 'UNREADABLE')) not valid;
alter table provider_settlement_lines add column deduction text;
alter table provider_settlement_lines add column subject_type text;
alter table provider_settlement_lines add column subject_id uuid;
alter table provider_settlement_lines add column receivable_id uuid;
alter table provider_settlement_lines add constraint provider_settlement_lines_deduction
  check (deduction in ('REFUND', 'DISPUTE', 'OTHER')) not valid;
alter table provider_settlement_lines add constraint provider_settlement_lines_subject
  check (subject_type in ('REFUND', 'DISPUTE') and num_nonnulls(subject_type, subject_id, receivable_id) in (0, 3)) not valid;
comment on column provider_settlement_lines.deduction is
  'What the line says that it takes from the settlement for. Null: it is about a payment, or was imported before deductions were posted.';
comment on column provider_settlement_lines.subject_id is 'The refund or dispute of ours that a deduction is of.';
comment on column provider_settlement_lines.receivable_id is 'The account of what the provider owes that the subject was taken from.';
-- Of one settlement; a subject is looked for among its deductions, which are few.
create index provider_settlement_lines_by_subject on provider_settlement_lines (settlement_id, subject_id)
  where subject_id is not null;

create table deduction_settlements (
  merchant_id uuid not null,
  mode text not null,
  subject_type text not null,
  subject_id uuid not null,
  id uuid not null,
  settlement_id uuid not null,
  line_id uuid not null,
  receivable_id uuid not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  settled_at timestamptz not null,
  constraint deduction_settlements_pk primary key (merchant_id, mode, subject_type, subject_id),
  constraint deduction_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint deduction_settlements_subject check (subject_type in ('REFUND', 'DISPUTE')),
  constraint deduction_settlements_amounts check (amount_minor > 0 and fee_minor >= 0)
);
comment on table deduction_settlements is
  'Which refunds and disputes the provider took from a settlement, each once for ever: the amount left the float, and what the provider owes is that much more again.';
comment on column deduction_settlements.id is 'Under which the transfers of it are in the books.';
comment on column deduction_settlements.line_id is 'The line of the provider''s settlement that says so.';
comment on column deduction_settlements.fee_minor is 'What the provider took on top of the amount, which is its cost.';
