-- Whoever brought somebody in, or gave them more than they had, is kept with the time: for a day neither of the two
-- decides about what the other made. An invitation says whether two people are behind it.
alter table people
  add column role_given_by uuid,
  add column role_given_at timestamptz;
alter table invitations add column is_approved boolean;
