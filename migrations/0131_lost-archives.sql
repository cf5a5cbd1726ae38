-- A file of archived events of which no copy exists stopped the archiving of its merchant for ever: the operator abandons it by name.

create table lost_archives (
  merchant_id uuid not null,
  mode text not null,
  number integer not null,
  reason text not null,
  abandoned_by text not null,
  abandoned_at timestamptz not null,
  found_at timestamptz,
  constraint lost_archives_pk primary key (merchant_id, mode, number),
  constraint lost_archives_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table lost_archives is
  'Files of event_archives that the operator has abandoned: later events are archived all the same, and every proof names them.';
comment on column lost_archives.found_at is
  'When it was in its folder again, as it was written: from then on it is a file like the others.';
