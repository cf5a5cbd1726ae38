/** What the command line, the logs and the records of a provider name; no HTTP answer carries most of them. */
export const INSIDE_ERROR_CODES = {
  RAIL_NAME_INVALID: { status: null, means: 'Not a name for a rail account' },
  RAIL_NAME_TAKEN: { status: null, means: 'There is one; `--replace` gives it other credentials' },
  RAIL_PROVIDER_UNKNOWN: { status: null, means: 'No adapter for this provider' },
  RAIL_CREDENTIALS_INVALID: { status: null, means: 'Not what the provider gives out; the message names the fields' },
  RAIL_CREDENTIALS_MODE: { status: null, means: 'A test key for live, or the other way round' },
  RAIL_BASE_URL_INVALID: { status: null, means: 'Not `https://`, or not a plain address' },
  RAIL_ACCOUNT_CHANGED: { status: null, means: 'Another provider, mode or address needs another name' },
  PROVIDER_WEBHOOK_SIGNATURE_INVALID: { status: null, means: "A rail's webhook is not signed by it" },
  PROVIDER_WEBHOOK_MALFORMED: { status: null, means: "A rail's webhook cannot be read" },
  PAYOUT_ALREADY_SETTLED: { status: null, means: 'Another import settled it first' },
  BATCH_CHUNK_EXPANDED: { status: null, means: 'Another worker expanded the chunk first' },
  BATCH_CHUNK_REPEATS: {
    status: null,
    means: 'Items of the chunk were paid otherwise since the dispatch; they fail alone',
  },
  PAYOUT_MOVED_ON: { status: null, means: 'Another worker was first' },
  ACCOUNT_NUMBER_TAKEN: { status: null, means: 'A payment session was to get the number of another; it gets its own' },
  HOLD_ALREADY_RESOLVED: { status: null, means: 'The hold has ended' },
};
