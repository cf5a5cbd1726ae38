import { statement } from './statement.ts';

/** From here to the end of the transaction no statement runs for longer, in milliseconds as text: the server ends it. */
export const limitStatements = statement('limit-statements', `select set_config('statement_timeout', $1, true)`);
