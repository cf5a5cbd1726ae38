-- Whoever changes a hundred things at once is not to bury the owners under a hundred mails, and none of them may be lost:
-- mails of one group to one address go out together.
alter table mails add column group_key text;
