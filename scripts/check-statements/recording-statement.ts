import * as original from '../../src/platform/db/statement.ts';

export * from '../../src/platform/db/statement.ts';

export interface Recorded {
  /** `file:line:column` of the call, as in the source. */
  place: string;
  name: string;
  text: string;
  /** Where Citus distributes the database. */
  whereDistributed?: string;
}

export const recorded: Recorded[] = [];

// biome-ignore lint/complexity/noBannedTypes: any function, as captureStackTrace takes it.
function note(name: string, text: string, of: Function, whereDistributed?: string): void {
  const at: { stack?: string } = {};
  Error.captureStackTrace(at, of);
  const place = /file:\/\/(\S+?:\d+:\d+)/.exec(at.stack ?? '')?.[1];
  recorded.push({
    place: decodeURI(place ?? 'unknown'),
    name,
    text,
    ...(whereDistributed === undefined ? {} : { whereDistributed }),
  });
}

export const statement: typeof original.statement = (name, text, whereDistributed) => {
  note(name, text, statement, whereDistributed);
  return original.statement(name, text, whereDistributed);
};

export const ofDueTenants: typeof original.ofDueTenants = (name, due, rest) => {
  const made = original.ofDueTenants(name, due, rest);
  note(name, made.text, ofDueTenants, made.whereDistributed);
  return made as never;
};

export const composed: typeof original.composed = (verb, text, values, how) => {
  note(verb, text, composed, how?.whereDistributed);
  return original.composed(verb, text, values, how);
};

export const setInsert: typeof original.setInsert = (table, types) => {
  const made = original.setInsert(table, types);
  note(made.name, made.text, setInsert);
  return made;
};

export const setStatement: typeof original.setStatement = (name, types, text) => {
  const made = original.setStatement(name, types, text);
  note(made.name, made.text, setStatement);
  return made;
};

export const setQuestion: typeof original.setQuestion = (name, types, text) => {
  const made = original.setQuestion(name, types, text);
  note(made.name, made.text, setQuestion);
  return made as never;
};
