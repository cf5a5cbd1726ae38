-- What the operator's staff decided on and looked at is kept: the facts behind each decision, and each support view.

alter table merchant_status_changes add column facts jsonb;
comment on column merchant_status_changes.facts is
  'What the merchant said of itself and which documents there were, as they were submitted or decided on; a BVN shows its '
  'ends only. Null where no details were looked at, and on decisions from before facts were kept.';

create table support_views (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  session_id uuid not null,
  person_id uuid not null,
  person_name text not null,
  reason text not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint support_views_pk primary key (merchant_id, id),
  constraint support_views_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint support_views_period check (expires_at > opened_at)
);
comment on table support_views is
  'Who of the operator''s staff may read a merchant''s pages, or could, in one mode and for a limited time. It opens '
  'nothing without the session that it was opened in.';
comment on column support_views.session_id is 'The session of the operator''s staff that it belongs to. It ends with it.';
comment on column support_views.reason is 'As the merchant reads it.';
comment on column support_views.ended_at is 'When somebody ended it, or opened another in its place. Null: it runs out.';
