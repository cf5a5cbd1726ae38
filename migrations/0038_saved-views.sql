-- A person keeps the filters and columns of a list under a name, so that the same question is asked with one click.

create table saved_views (
  merchant_id uuid not null,
  mode text not null,
  person_id uuid not null,
  id uuid not null,
  list text not null,
  place integer not null,
  name text not null,
  name_key text not null,
  filter text not null,
  columns text not null,
  is_shared boolean not null,
  default_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint saved_views_pk primary key (merchant_id, mode, person_id, id),
  constraint saved_views_name_unique unique (merchant_id, mode, person_id, list, name_key),
  constraint saved_views_place_unique unique (merchant_id, mode, person_id, list, place),
  constraint saved_views_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint saved_views_list check (list in ('TRANSACTIONS', 'PAYOUTS', 'PAYMENTS_IN')),
  constraint saved_views_place check (place between 1 and 30),
  constraint saved_views_name check (length(name) between 1 and 60),
  constraint saved_views_size check (length(filter) <= 8000 and length(columns) <= 2000)
);
comment on table saved_views is
  'Named filters and columns of a person''s lists: thirty of each list at most. Those of somebody who has left are not shown.';
comment on column saved_views.place is 'From 1 to 30, and no two of a list have one: so there are no more.';
comment on column saved_views.name_key is 'The name in lower case: a person has each once in a list.';
comment on column saved_views.filter is 'JSON: what the address of the list holds, field by field.';
comment on column saved_views.columns is 'JSON array: the columns in their order; empty for those that the list has by default.';
comment on column saved_views.is_shared is 'Everybody of the merchant sees it; only its person changes it.';
comment on column saved_views.default_at is
  'When it was made the one that the list opens with; the latest of a list counts. Null: it is not.';
create index saved_views_shared on saved_views (merchant_id, mode, list) where is_shared;
