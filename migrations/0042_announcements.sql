-- The operator tells merchants what they have to know: an outage, a change of terms, hours of a bank.

create table announcements (
  id uuid not null,
  title text not null,
  body text not null,
  severity text not null,
  for_all boolean not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  revision integer not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text not null,
  updated_at timestamptz not null,
  published_by text,
  published_at timestamptz,
  ended_by text,
  ended_at timestamptz,
  constraint announcements_pk primary key (id),
  constraint announcements_severity check (severity in ('INFO', 'WARNING', 'CRITICAL')),
  constraint announcements_period check (ends_at > starts_at),
  constraint announcements_revision check (revision >= 1),
  constraint announcements_published check ((published_by is null) = (published_at is null)),
  constraint announcements_ended check ((ended_by is null) = (ended_at is null))
);
create index announcements_open on announcements (ends_at) where ended_at is null;
comment on table announcements is
  'What the operator''s staff write to merchants, in plain text. Shown from starts_at until ends_at once it is published '
  'and until somebody ends it.';
comment on column announcements.for_all is 'False: only to the merchants in announcement_merchants.';
comment on column announcements.revision is
  'Grows with every change of a published announcement: whoever dismissed it before sees it again.';

create table announcement_merchants (
  merchant_id uuid not null,
  announcement_id uuid not null,
  constraint announcement_merchants_pk primary key (merchant_id, announcement_id),
  constraint announcement_merchants_merchant foreign key (merchant_id) references merchants (id)
);
comment on table announcement_merchants is 'To which merchants an announcement goes that is not for all.';

create table announcement_dismissals (
  merchant_id uuid not null,
  person_id uuid not null,
  announcement_id uuid not null,
  revision integer not null,
  dismissed_at timestamptz not null,
  constraint announcement_dismissals_pk primary key (merchant_id, person_id, announcement_id)
);
comment on table announcement_dismissals is 'Which announcement a person of a merchant dismissed, at which revision of it.';
