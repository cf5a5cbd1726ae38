-- A sandbox's clock could be moved forward without end, which left times of thousands of years ago in what waits. They
-- come back to where such times end from now on.
update payouts set due_at = '2000-01-01Z' where mode = 'SANDBOX' and due_at < '2000-01-01Z';
update payouts set first_sent_at = '2000-01-01Z' where mode = 'SANDBOX' and first_sent_at < '2000-01-01Z';
update payouts set sent_at = '2000-01-01Z' where mode = 'SANDBOX' and sent_at < '2000-01-01Z';
update batches set due_at = '2000-01-01Z' where mode = 'SANDBOX' and due_at < '2000-01-01Z';
update batches set silent_since = '2000-01-01Z' where mode = 'SANDBOX' and silent_since < '2000-01-01Z';
update batches set expires_at = '2000-01-01Z' where mode = 'SANDBOX' and expires_at < '2000-01-01Z';
update approvals set expires_at = '2000-01-01Z' where mode = 'SANDBOX' and expires_at < '2000-01-01Z';
update webhook_endpoints set retry_at = '2000-01-01Z' where mode = 'SANDBOX' and retry_at < '2000-01-01Z';
update webhook_endpoints set paused_until = '2000-01-01Z' where mode = 'SANDBOX' and paused_until < '2000-01-01Z';
update webhook_deliveries set next_attempt_at = '2000-01-01Z'
 where mode = 'SANDBOX' and next_attempt_at < '2000-01-01Z';
update sandbox_rail_transfers set first_sent_at = '2000-01-01Z' where first_sent_at < '2000-01-01Z';
update sandbox_rail_transfers set received_at = '2000-01-01Z' where received_at < '2000-01-01Z';
update sandbox_rail_transfers set next_notice_at = '2000-01-01Z' where next_notice_at < '2000-01-01Z';
