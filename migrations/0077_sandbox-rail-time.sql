-- The sandbox clock moves the simulated bank too. What waits for a time there is a scenario: plain successes, however
-- many, are not looked at.
create index sandbox_rail_transfers_scenarios on sandbox_rail_transfers (merchant_id, mode)
  where scenario <> 'success';
