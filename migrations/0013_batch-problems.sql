-- What is wrong with an item is data (a code, a field, parameters) of which sentences are made when it is read.

alter table batch_items
  add column item_errors text,
  add column item_warnings text;
comment on column batch_items.item_errors is
  'Why it cannot be paid: JSON array of {code, field, params}; null for an item that can be, or was not checked yet.';
comment on column batch_items.item_warnings is
  'What was noticed or corrected, in the same way; null for nothing.';
comment on column batch_items.reason is 'Retired: read by the release before, and written no more.';
comment on column batch_items.warnings is 'Retired: read by the release before, and written no more.';

update batch_items
   set item_errors = json_build_array(
         json_build_object('code', 'OTHER', 'field', null, 'params', json_build_object('text', reason))
       )::text
 where reason is not null;

-- What the bank's answer says is told apart, because the next answer takes its place.
update batch_items i
   set item_warnings = (
         select json_agg(
                  case when w.text like 'The account belongs to %' and i.account_name is not null
                       then json_build_object('code', 'NAME_DIFFERS', 'field', 'accountName', 'params', json_build_object(
                              'bankName', i.bank_name, 'accountName', i.account_name, 'givenName', i.given_name
                            ))
                       else json_build_object('code', 'OTHER', 'field', null, 'params', json_build_object('text', w.text))
                  end order by w.place
                )::text
           from json_array_elements_text(i.warnings::json) with ordinality as w (text, place)
       )
 where i.warnings is not null;

alter table batch_items
  drop constraint batch_items_valid,
  add constraint batch_items_valid check (
    not is_valid or (
      validated_at is not null and item_errors is null and account_name is not null and bank_name is not null
      and amount_minor > 0
    )
  ) not valid;
