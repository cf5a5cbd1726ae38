-- A key that a person makes has a name and a maker: what it asks for is never approved by the one who holds it. The
-- maker's name stays as it was, also when the person has gone. A key for trying the API reference is told from others.
alter table api_keys
  add column name text not null default '',
  add column created_by uuid,
  add column created_by_name text,
  add column for_reference boolean not null default false;
