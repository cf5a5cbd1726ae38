/** A node of PostgreSQL's parsed query, as `pg_node_tree` prints it: `{VAR :varno 1 :varattno 2 ...}`. */
export interface TreeNode {
  tag: string;
  fields: Record<string, Tree>;
}
export type Tree = TreeNode | Tree[] | string | null;

const TOKEN = /[{}()]|\\.|(?:\\.|[^\s{}()\\])+/gs;

/** Reads the text of a `pg_node_tree`. */
export function readTree(text: string): Tree {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const value = (): Tree => {
    const token = tokens[at++];
    if (token === '{') return node();
    if (token === '(') return list();
    return token === undefined || token === '<>' ? null : token;
  };
  const list = (): Tree[] => {
    const items: Tree[] = [];
    while (at < tokens.length && tokens[at] !== ')') items.push(value());
    at += 1;
    return items;
  };
  const node = (): TreeNode => {
    const tag = tokens[at++] as string;
    const fields: Record<string, Tree> = {};
    while (at < tokens.length && tokens[at] !== '}') {
      const name = (tokens[at++] as string).slice(1);
      const values: Tree[] = [];
      while (at < tokens.length && tokens[at] !== '}' && !/^:[a-zA-Z]/.test(tokens[at] as string)) values.push(value());
      fields[name] = values.length === 1 ? (values[0] as Tree) : values;
    }
    at += 1;
    return { tag, fields };
  };
  return value();
}

export const isNode = (tree: Tree | undefined): tree is TreeNode =>
  tree !== null && typeof tree === 'object' && !Array.isArray(tree);

/** The nodes of a list; an empty one is printed as none. */
export const nodesOf = (tree: Tree | undefined): TreeNode[] => (Array.isArray(tree) ? tree.filter(isNode) : []);

/** A number, a name or a flag, as it is printed; empty for anything else. */
export const wordOf = (tree: Tree | undefined): string => (typeof tree === 'string' ? tree : '');
