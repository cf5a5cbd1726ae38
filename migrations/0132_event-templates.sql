-- Most of an event's text is the same in each event of its kind: it is stored once, as a template. `events` shows whole texts as before.

-- Processes of the release before write events while they are replaced.
create function insert_event() returns trigger language plpgsql as $$
begin
  insert into event_rows (merchant_id, mode, sequence, id, type, subject_id, data, created_at, idempotency_key, request_id)
  values (new.merchant_id, new.mode, new.sequence, new.id, new.type, new.subject_id, new.data, new.created_at,
          new.idempotency_key, new.request_id);
  return new;
end
$$;

create table event_templates (
  merchant_id uuid not null,
  id uuid not null,
  text text not null,
  value_count integer not null,
  created_at timestamptz not null,
  constraint event_templates_pk primary key (merchant_id, id)
);
comment on table event_templates is
  'What events of one kind have in common. A row is never changed or removed, since events are read with it.';
comment on column event_templates.id is 'The first half of the SHA-256 of the text: the same text has one row.';
comment on column event_templates.text is
  'JSON in the form of format(): %1$s is the subject of the event, %2$s the same without hyphens, %3$s its time, and from %4$s on '
  'its values.';
comment on column event_templates.value_count is 'How many values an event with this template has.';

alter table events rename to event_rows;
alter table event_rows add column template_id uuid;
comment on table event_rows is
  'What happened, in order, per tenant, written with the change itself. The view events shows the same with whole texts.';
comment on column event_rows.data is
  'Without a template: the JSON text, which is delivered byte for byte. With one: what differs from it, with U+001F, which JSON never has, between two values.';
comment on column event_rows.template_id is 'Null: data is the whole text.';

create view events as
select e.merchant_id, e.mode, e.sequence, e.id, e.type, e.subject_id,
       case when e.template_id is null then e.data
            when cardinality(string_to_array(e.data, E'\x1f')) = t.value_count
            then format(
              t.text,
              variadic array[
                e.subject_id::text,
                replace(e.subject_id::text, '-', ''),
                to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
              ] || string_to_array(e.data, E'\x1f')
            )
       end as data,
       e.created_at, e.idempotency_key, e.request_id
  from event_rows e
  left join event_templates t on t.merchant_id = e.merchant_id and t.id = e.template_id;
comment on view events is 'The source of every webhook: what happened, in order, per tenant.';
comment on column events.data is 'JSON as text: it is delivered byte for byte. Null: it cannot be read, which the proof reports.';

create trigger events_of_before instead of insert on events for each row execute function insert_event();
