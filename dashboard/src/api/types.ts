import type { paths } from './schema.d.ts';

export type Mode = 'SANDBOX' | 'LIVE';
export type Method = 'get' | 'post' | 'patch' | 'delete' | 'put';

/** The addresses of the API document that have an operation with this method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathWith<M>> = paths[P][M];

type Json<R> = R extends { content: { 'application/json': infer B } } ? B : never;
type Answer<O> = O extends { responses: { 200: infer R } }
  ? Json<R>
  : O extends { responses: { 201: infer R } }
    ? Json<R>
    : O extends { responses: { 202: infer R } }
      ? Json<R>
      : unknown;

/** What an operation answers under `data`. */
export type Data<M extends Method, P extends PathWith<M>> =
  Answer<Operation<M, P>> extends { data: infer D }
    ? D
    : Answer<Operation<M, P>> extends { data?: infer D }
      ? D | undefined
      : Answer<Operation<M, P>>;

type Part<O, K extends 'path' | 'query'> = O extends { parameters: { [k in K]: infer V } }
  ? V extends undefined
    ? Record<never, never>
    : { [k in K]: V }
  : O extends { parameters: { [k in K]?: infer V } }
    ? { [k in K]?: Exclude<V, undefined> }
    : Record<never, never>;

type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B | FormData }
  : O extends { requestBody: { content: infer C } }
    ? { body: C extends object ? FormData : never }
    : O extends { requestBody?: { content: { 'application/json': infer B } } }
      ? { body?: B | FormData }
      : Record<never, never>;

/** What an operation takes: `path`, `query` and `body`, each where the document has it. */
export type Input<M extends Method, P extends PathWith<M>> = InputOf<Operation<M, P>>;

/** One operation at a time: all of them at once, each part with each other, are too many for the compiler. */
type InputOf<O> = O extends object ? Part<O, 'path'> & Part<O, 'query'> & Body<O> : never;

/** One of the records of a list. */
export type RecordOf<P extends PathWith<'get'>> = Data<'get', P> extends { records: (infer R)[] } ? R : never;
