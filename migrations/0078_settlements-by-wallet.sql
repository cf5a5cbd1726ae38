-- no-transaction: The last settlement of a wallet is looked up at each turn, and settlements of one wallet are listed.

create index concurrently merchant_settlements_by_wallet on merchant_settlements (merchant_id, mode, wallet_id, number);
