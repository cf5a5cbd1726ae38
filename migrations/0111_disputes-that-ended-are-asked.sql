-- The time of the next question says of a dispute that has ended, too, when its provider is asked whether it still says so.

comment on column disputes.check_at is
  'When the provider is asked what became of it, or once it has ended, whether it still says so; null: not again.';
