-- What is wrong with many rows of a bulk payout is corrected for all of them at once, and undone; and a list of what was
-- not paid remembers which payouts it is made of, so that nobody is paid twice.

alter table batches
  add column action_id uuid,
  add column origin_batch_id uuid,
  add column valid_minor bigint not null default 0,
  add column succeeded_minor bigint not null default 0;
comment on column batches.action_id is 'The group action that is being carried out: its rows are not changed otherwise. Null: none.';
comment on column batches.origin_batch_id is 'The batch whose failed and returned payouts it pays again. Null: none.';
comment on column batches.valid_minor is 'What its valid items come to, without charges: counted as valid_items is.';
comment on column batches.succeeded_minor is 'What its payouts that succeeded come to, without charges: counted as succeeded_items is.';
create index batches_by_origin on batches (merchant_id, mode, origin_batch_id) where origin_batch_id is not null;

alter table batch_items
  add column accepted text,
  add column origin_item_id uuid;
comment on column batch_items.accepted is
  'JSON array of the codes of warnings that somebody accepted; null for none. A change of the item takes it back.';
comment on column batch_items.origin_item_id is 'The item of the origin batch that it pays again. Null: none.';

update batches b
   set valid_minor = i.amount_minor
  from (select merchant_id, mode, batch_id, sum(amount_minor) as amount_minor from batch_items where is_valid group by 1, 2, 3) i
 where i.merchant_id = b.merchant_id and i.mode = b.mode and i.batch_id = b.id;

update batches b
   set succeeded_minor = p.amount_minor
  from (
    select p.merchant_id, p.mode, p.batch_id, sum(t.amount_minor) as amount_minor
      from payouts p
      join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
     where p.batch_id is not null and t.status = 'SUCCESS'
     group by 1, 2, 3
  ) p
 where p.merchant_id = b.merchant_id and p.mode = b.mode and p.batch_id = b.id;

create table batch_actions (
  merchant_id uuid not null,
  mode text not null,
  batch_id uuid not null,
  id uuid not null,
  kind text not null,
  code text,
  cause text,
  change text,
  items integer not null,
  done_items integer not null,
  applied_to integer not null,
  batch_version integer not null,
  undoes uuid,
  undone_at timestamptz,
  created_at timestamptz not null,
  done_at timestamptz,
  constraint batch_actions_pk primary key (merchant_id, mode, batch_id, id),
  constraint batch_actions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batch_actions_kind check (kind in ('ACCEPT', 'CHANGE', 'CHECK_AGAIN', 'LEAVE_OUT', 'UNDO')),
  constraint batch_actions_items check (done_items between 0 and items),
  constraint batch_actions_undoes check ((kind = 'UNDO') = (undoes is not null) and (kind = 'UNDO') = (code is null))
);
comment on table batch_actions is
  'What somebody did to all items of a batch that have one problem: in pieces of some hundred items, each a movement with '
  'the next version of the batch, so that a worker goes on where another stopped.';
comment on column batch_actions.code is 'Code of the problem that the items have in common; with cause it is their group.';
comment on column batch_actions.cause is 'What the problem has in common beside its code, such as the text given for a bank.';
comment on column batch_actions.change is 'JSON: the fields that a CHANGE sets.';
comment on column batch_actions.items is 'Items that were in the group when it began.';
comment on column batch_actions.applied_to is 'Position of the last item that it was applied to.';
comment on column batch_actions.batch_version is
  'The version of the batch as the action left it. It can be undone while that is the version.';
comment on column batch_actions.undoes is 'The action that an UNDO undoes.';

create table batch_action_items (
  merchant_id uuid not null,
  mode text not null,
  action_id uuid not null,
  position integer not null,
  before text not null,
  constraint batch_action_items_pk primary key (merchant_id, mode, action_id, position),
  constraint batch_action_items_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table batch_action_items is 'The items of a group action as they were before it, for undoing it.';
comment on column batch_action_items.before is 'JSON: the row of batch_items.';
