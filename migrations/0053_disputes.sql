-- What payers' banks take back by a dispute: what a provider reported, what is held and taken for it, what the merchant answered, and how its debt was paid.

create table dispute_directory (
  rail text not null,
  provider_dispute_id text not null,
  mode text not null,
  status text not null,
  reason text,
  source text not null,
  reported text,
  merchant_id uuid,
  payment_id uuid,
  dispute_id uuid,
  attempts integer not null,
  due_at timestamptz,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  decided_by uuid,
  note text,
  constraint dispute_directory_pk primary key (rail, provider_dispute_id),
  constraint dispute_directory_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_directory_status check (status in ('WAITING', 'NO_PAYMENT', 'CONTRADICTED', 'NOTED', 'DISMISSED')),
  constraint dispute_directory_noted check ((status = 'NOTED') = (num_nonnulls(merchant_id, payment_id, dispute_id) = 3)),
  constraint dispute_directory_dismissed check ((status = 'DISMISSED') = (num_nonnulls(decided_by, note) = 2))
);
comment on table dispute_directory is
  'Directory: a dispute at a provider is one dispute of one payment, for ever. WAITING: the provider has not confirmed it yet. NO_PAYMENT: confirmed, of a payment that we do not have. CONTRADICTED: people have to look. NOTED: it leads to a dispute, written before that is. DISMISSED: a person of the operator looked into it.';
comment on column dispute_directory.reported is 'JSON text: the dispute as the provider confirmed it last. Null: it did not.';
comment on column dispute_directory.due_at is 'When the provider is asked again; null: nothing is to be asked.';
create index dispute_directory_due on dispute_directory (mode, due_at) where due_at is not null;
create index dispute_directory_to_decide on dispute_directory (first_seen_at)
  where status in ('NO_PAYMENT', 'CONTRADICTED');

create table dispute_polls (
  rail text not null,
  mode text not null,
  polled_to timestamptz not null,
  leased_until timestamptz,
  constraint dispute_polls_pk primary key (rail),
  constraint dispute_polls_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table dispute_polls is 'How far each provider''s list of disputes was read. One process reads it at a time.';

create table disputes (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payment_id uuid not null,
  rail text not null,
  provider_dispute_id text not null,
  source text not null,
  status text not null,
  reason text,
  operator_reason text,
  category text not null,
  message text,
  amount_minor bigint not null,
  disputed_minor bigint not null,
  held_minor bigint not null,
  taken_minor bigint not null,
  loss_minor bigint not null,
  repaid_minor bigint not null,
  currency text not null,
  wallet_id uuid,
  receivable_id uuid not null,
  hold_id uuid,
  answer text,
  answer_status text,
  answer_reason text,
  version integer not null,
  due_at timestamptz,
  check_at timestamptz,
  remind_at timestamptz,
  checks integer not null,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  constraint disputes_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint disputes_status check (status in ('OPEN', 'EVIDENCE_SENT', 'WON', 'LOST', 'ACCEPTED')),
  constraint disputes_source check (source in ('PROVIDER', 'OPERATOR')),
  constraint disputes_category check (category in ('CHARGEBACK', 'FRAUD', 'GENERAL')),
  constraint disputes_amounts check (amount_minor > 0 and disputed_minor between 0 and amount_minor
    and held_minor between 0 and disputed_minor and taken_minor >= 0 and loss_minor >= 0
    and taken_minor + loss_minor in (0, disputed_minor) and repaid_minor between 0 and loss_minor),
  constraint disputes_hold check ((hold_id is null) = (held_minor = 0) and (hold_id is null or wallet_id is not null)),
  constraint disputes_ended check ((ended_at is null) = (status in ('OPEN', 'EVIDENCE_SENT'))),
  constraint disputes_taken check (status in ('LOST', 'ACCEPTED') or taken_minor + loss_minor = 0),
  constraint disputes_answer check ((answer is null) = (answer_status is null) and answer in ('ACCEPT', 'CONTEST')
    and answer_status in ('QUEUED', 'SENT', 'REFUSED'))
);
comment on table disputes is
  'A payer''s bank wants a payment back. OPEN: the merchant may answer until due_at. EVIDENCE_SENT: the provider has the merchant''s evidence. WON: nothing is taken. LOST: it is, by the bank''s decision or by silence. ACCEPTED: by the merchant''s own answer.';
comment on column disputes.operator_reason is 'Why somebody of the operator has to look at it; null: nobody has to.';
comment on column disputes.amount_minor is 'As the provider says.';
comment on column disputes.disputed_minor is 'What of that may be taken: never more than of the payment is neither refunded nor taken already.';
comment on column disputes.held_minor is 'What of that is held in the wallet, or was until it ended.';
comment on column disputes.taken_minor is 'What was taken from the wallet when it ended.';
comment on column disputes.loss_minor is 'What the wallet did not have then: the merchant owes it.';
comment on column disputes.repaid_minor is 'What of that later money has paid.';
comment on column disputes.wallet_id is 'The wallet that has the payment; null while it is in none.';
comment on column disputes.hold_id is 'The pending transfer.';
comment on column disputes.answer_reason is 'Why the provider did not take the answer.';
comment on column disputes.version is 'One more with every change that is reported.';
comment on column disputes.check_at is 'When the provider is asked what became of it; null once it has ended.';
comment on column disputes.remind_at is 'When people are reminded that a third of the time is left; null once they were.';
create index disputes_of_payment on disputes (merchant_id, mode, payment_id, id);
create index disputes_running on disputes (merchant_id, mode, due_at, id) where ended_at is null;
create index disputes_owed on disputes (merchant_id, mode, id) where repaid_minor < loss_minor;
create index disputes_for_operator on disputes (merchant_id, mode, id) where operator_reason is not null;
alter table disputes add constraint disputes_pk primary key (merchant_id, mode, id);

create table dispute_evidence (
  merchant_id uuid not null,
  mode text not null,
  dispute_id uuid not null,
  id uuid not null,
  source text not null,
  state text not null,
  code text,
  reported text not null,
  received_at timestamptz not null,
  digest text not null,
  constraint dispute_evidence_pk primary key (merchant_id, mode, dispute_id, id),
  constraint dispute_evidence_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_evidence_source check (source in ('WEBHOOK', 'POLL', 'CHECK', 'OPERATOR'))
);
comment on table dispute_evidence is
  'What a provider answered to our own question about a dispute, or what two people of the operator know of it, each time that it changed something.';

create table dispute_answers (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  dispute_id uuid not null,
  action text not null,
  content text not null,
  files integer not null,
  status text not null,
  reason text,
  made_by text not null,
  made_at timestamptz not null,
  attempts integer not null,
  due_at timestamptz,
  ended_at timestamptz,
  digest text not null,
  constraint dispute_answers_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_answers_action check (action in ('ACCEPT', 'CONTEST')),
  constraint dispute_answers_status check (status in ('QUEUED', 'SENT', 'REFUSED')),
  constraint dispute_answers_due check ((due_at is not null) = (status = 'QUEUED') and (ended_at is null) = (status = 'QUEUED'))
);
comment on table dispute_answers is
  'What a merchant says to a dispute: that it accepts it, or why not. QUEUED: a worker sends it. SENT: the provider has it. REFUSED: the provider did not take it, or the dispute ended first; another may be made while it is open.';
comment on column dispute_answers.content is 'JSON text: the words of the evidence.';
comment on column dispute_answers.files is 'How many files belong to it.';
create index dispute_answers_of_dispute on dispute_answers (merchant_id, mode, dispute_id, id);
create index dispute_answers_due on dispute_answers (merchant_id, mode, due_at) where due_at is not null;
alter table dispute_answers add constraint dispute_answers_pk primary key (merchant_id, mode, id);

create table dispute_files (
  merchant_id uuid not null,
  mode text not null,
  answer_id uuid not null,
  id uuid not null,
  place integer not null,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  content_hash text not null,
  content_sealed bytea not null,
  uploaded_at timestamptz not null,
  constraint dispute_files_pk primary key (merchant_id, mode, answer_id, id),
  constraint dispute_files_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_files_once unique (merchant_id, mode, answer_id, place)
);
comment on table dispute_files is
  'The files of a merchant''s evidence, sealed. They are written before their answer: one whose answer was refused is nobody''s.';

create table dispute_repayments (
  merchant_id uuid not null,
  mode text not null,
  dispute_id uuid not null,
  id uuid not null,
  wallet_id uuid not null,
  amount_minor bigint not null,
  created_at timestamptz not null,
  constraint dispute_repayments_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_repayments_amount check (amount_minor > 0),
  constraint dispute_repayments_pk primary key (merchant_id, mode, dispute_id, id)
);
comment on table dispute_repayments is
  'What later money paid of what a merchant owes after a dispute. The id is that of its transaction.';

create table sandbox_disputes (
  merchant_id uuid not null,
  mode text not null,
  id text not null,
  credit_id text not null,
  amount_minor bigint not null,
  category text not null,
  message text,
  scenario text not null,
  opened_at timestamptz not null,
  due_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  files integer not null,
  next_webhook_at timestamptz,
  constraint sandbox_disputes_pk primary key (merchant_id, mode, id),
  constraint sandbox_disputes_mode check (mode = 'SANDBOX'),
  constraint sandbox_disputes_answer check (answer in ('ACCEPT', 'CONTEST') and (answer is null) = (answered_at is null))
);
comment on table sandbox_disputes is 'The simulated bank''s own book of disputes.';
create index sandbox_disputes_by_time on sandbox_disputes (opened_at, id);
create index sandbox_disputes_webhooks on sandbox_disputes (merchant_id, mode, next_webhook_at)
  where next_webhook_at is not null;
