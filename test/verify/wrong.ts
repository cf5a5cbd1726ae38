/** Books with something wrong in them, and the checks that have to find it, among others. */
export interface WrongBooks {
  what: string;
  sql: string[];
  broken: string[];
}
