/** The values in a sentence: texts, figures and lists of texts. */
export type ProblemParams = Readonly<Record<string, string | number | readonly string[]>>;

/** Something that is wrong or was noticed, as it is stored: programs decide by `code` and `field`. */
export interface ProblemData {
  code: string;
  /** The field of the interface that it is about; null for the whole. */
  field: string | null;
  params: ProblemParams;
}

/** The same with the sentence for people. */
export interface Problem extends ProblemData {
  message: string;
}

/** Each has parameters of its own, so only the code that made a problem knows them. */
type Entry = { field: string | null; say: (params: never) => string };

/** One kind of problem: the field that it is mostly about, and its sentence. */
export const kindOf = <P extends ProblemParams = Record<never, never>>(
  field: string | null,
  say: (params: P) => string,
) => ({ field, say });

/**
 * The kinds of problem of a module by their codes: the only place that makes their sentences. A stored problem whose
 * code no longer exists is shown by its code.
 */
export function createProblems<C extends Record<string, Entry>>(catalogue: C) {
  type Code = keyof C & string;
  type Params<K extends Code> = Parameters<C[K]['say']>[0];

  function problem<K extends Code>(code: K, params: Params<K>, field?: string): ProblemData {
    return { code, field: field ?? (catalogue[code] as Entry).field, params };
  }

  function sentenceOf({ code, params }: ProblemData): string {
    return Object.hasOwn(catalogue, code) ? (catalogue[code] as Entry).say(params as never) : `${code}.`;
  }

  return {
    problem,
    sentenceOf,
    /** With its sentence. */
    shown: ({ code, field, params }: ProblemData): Problem => ({
      code,
      field,
      params,
      message: sentenceOf({ code, field, params }),
    }),
    codes: Object.keys(catalogue) as readonly Code[],
  };
}

const MAX_GIVEN = 60;

/** A given text as a parameter: a cell may hold anything, and a sentence only so much. */
export function shortened(text: string): string {
  return (text.length > MAX_GIVEN ? `${text.slice(0, MAX_GIVEN)}…` : text).toWellFormed();
}
