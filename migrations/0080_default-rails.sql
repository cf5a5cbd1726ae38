-- Which rails pay for merchants that chose none: without a row the sandbox rail plays, and live money goes nowhere.
create table default_rails (
  mode text not null,
  first_rail text not null,
  second_rail text,
  updated_at timestamptz not null,
  constraint default_rails_pk primary key (mode),
  constraint default_rails_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint default_rails_order check (second_rail is null or second_rail <> first_rail)
);
