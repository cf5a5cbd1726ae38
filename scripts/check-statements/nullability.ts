import { isNode, nodesOf, type Tree, type TreeNode, wordOf } from './node-tree.ts';

/** `never` is proven, `maybe` is not excluded, `unknown` is for what the caller gives and functions that we do not know. */
export type Nullness = 'never' | 'maybe' | 'unknown';

/** What the catalogue says, by oid. */
export interface Catalogue {
  /** `table.column` of every column that is `not null`. */
  notNull: ReadonlySet<string>;
  functions: ReadonlyMap<string, { name: string; isStrict: boolean }>;
}

interface Scope {
  query: TreeNode;
  catalogue: Catalogue;
  depth: number;
  parent: Scope | undefined;
  /** Columns, as `relation.column`, and relations that a condition of this query proves to be there. */
  proven: ReadonlySet<string>;
}

const RELATION = '0';
const SUBQUERY = '1';
const JOIN = '2';
const FUNCTION = '3';
const VALUES = '5';
const CTE = '6';
const GROUP = '9';

/** Strict functions that return null for values: what they look for may not be there. */
const MAY_FIND_NOTHING =
  /^(jsonb?_(object_field|array_element|extract_path)|textregexsubstr|regexp_|array_(length|upper|lower|position)|to_reg|current_setting)/;
/** Functions that return a value for null. */
const NEVER_NULL = new Set([
  'concat',
  'concat_ws',
  'json_build_array',
  'json_build_object',
  'jsonb_build_object',
  'set_config',
]);
const COUNTS = new Set(['count', 'row_number', 'rank', 'dense_rank']);

/** For each column that the statement returns: may it be null? */
export function nullabilityOf(query: TreeNode, catalogue: Catalogue): Nullness[] {
  const scope = scopeOf(query, catalogue, undefined);
  return outputOf(query).map((_, at) => column(scope, at));
}

function all(parts: readonly Nullness[]): Nullness {
  if (parts.includes('maybe')) return 'maybe';
  return parts.includes('unknown') ? 'unknown' : 'never';
}

function any(parts: readonly Nullness[]): Nullness {
  if (parts.includes('never')) return 'never';
  return parts.includes('unknown') ? 'unknown' : 'maybe';
}

/** The columns of a query; those that only sort or group are not among them. */
function outputOf({ fields }: TreeNode): TreeNode[] {
  const list = fields.commandType === '1' ? fields.targetList : fields.returningList;
  return nodesOf(list).filter((entry) => entry.fields.resjunk !== 'true');
}

/** A recursive query reads itself. */
const MOST_DEEP = 20;

function column(scope: Scope, at: number): Nullness {
  if (scope.depth > MOST_DEEP) return 'unknown';
  const { setOperations } = scope.query.fields;
  if (isNode(setOperations)) return all(leavesOf(setOperations).map((leaf) => relation(scope, leaf, at + 1)));
  return expression(scope, outputOf(scope.query)[at]?.fields.expr);
}

function relation(scope: Scope, number: string, column_: number): Nullness {
  const entry = nodesOf(scope.query.fields.rtable)[Number(number) - 1];
  if (entry === undefined) return 'unknown';
  const { fields } = entry;
  switch (fields.rtekind) {
    case RELATION:
      return scope.catalogue.notNull.has(`${wordOf(fields.relid)}.${column_}`) ? 'never' : 'maybe';
    case SUBQUERY:
      return column(scopeIn(scope, fields.subquery), column_ - 1);
    case JOIN:
      return expression(scope, nodesOf(fields.joinaliasvars)[column_ - 1]);
    case GROUP:
      return expression(scope, nodesOf(fields.groupexprs)[column_ - 1]);
    case FUNCTION:
      return isOrdinality(entry, column_) ? 'never' : 'unknown';
    case VALUES:
      return all((fields.values_lists as Tree[]).map((row) => expression(scope, nodesOf(row)[column_ - 1])));
    case CTE:
      return commonTable(scope, entry, column_);
    default:
      return 'unknown';
  }
}

function commonTable(scope: Scope, entry: TreeNode, column_: number): Nullness {
  const { ctename, ctelevelsup } = entry.fields;
  const home = up(scope, Number(ctelevelsup));
  const table = nodesOf(home?.query.fields.cteList).find(({ fields }) => fields.ctename === ctename);
  if (table === undefined) return 'unknown';
  return column({ ...scopeIn(home ?? scope, table.fields.ctequery), depth: scope.depth + 1 }, column_ - 1);
}

function variable(from: Scope, { fields }: TreeNode): Nullness {
  const scope = up(from, Number(fields.varlevelsup));
  if (scope === undefined) return 'unknown';
  const key = `${wordOf(fields.varno)}.${wordOf(fields.varattno)}`;
  if (scope.proven.has(key)) return 'never';
  const isNulled = Array.isArray(fields.varnullingrels) && fields.varnullingrels.length > 1;
  if (isNulled && !scope.proven.has(fields.varno as string)) return 'maybe';
  return relation(scope, fields.varno as string, Number(fields.varattno));
}

/** Of a full join one side is there: a column of each, neither null in its own table, are not both missing. */
function isOfFullJoin(scope: Scope, args: readonly TreeNode[]): boolean {
  const sides = args.map(({ tag, fields }) => {
    const nulledBy = Array.isArray(fields.varnullingrels) ? fields.varnullingrels.slice(1) : [];
    if (tag !== 'VAR' || fields.varlevelsup !== '0' || nulledBy.length !== 1) return undefined;
    const isThere = relation(scope, fields.varno as string, Number(fields.varattno)) === 'never';
    const join = isThere ? fullJoinIn(scope.query.fields.jointree, nulledBy[0] as string) : undefined;
    if (join === undefined) return undefined;
    return `${wordOf(nulledBy[0])} ${relationsIn(join.fields.larg).includes(fields.varno as string)}`;
  });
  return sides.some((side) => side?.endsWith(' true') && sides.includes(side.replace(/true$/, 'false')));
}

function fullJoinIn(node: Tree | undefined, number: string): TreeNode | undefined {
  if (!isNode(node)) return undefined;
  const FULL = '2';
  if (node.tag === 'JOINEXPR' && node.fields.rtindex === number)
    return node.fields.jointype === FULL ? node : undefined;
  const { larg, rarg, fromlist } = node.fields;
  return [larg, rarg, ...nodesOf(fromlist)].map((part) => fullJoinIn(part, number)).find((join) => join !== undefined);
}

function relationsIn(node: Tree | undefined): string[] {
  if (!isNode(node)) return [];
  if (node.tag === 'RANGETBLREF') return [node.fields.rtindex as string];
  return [node.fields.larg, node.fields.rarg].flatMap(relationsIn);
}

function call(scope: Scope, oid: Tree | undefined, args: Tree | undefined): Nullness {
  const known = scope.catalogue.functions.get(oid as string);
  if (known === undefined) return 'unknown';
  if (NEVER_NULL.has(known.name)) return 'never';
  if (MAY_FIND_NOTHING.test(known.name)) return 'maybe';
  return known.isStrict ? all(each(scope, args)) : 'unknown';
}

function aggregate(scope: Scope, { fields }: TreeNode): Nullness {
  const name = scope.catalogue.functions.get(fields.aggfnoid as string)?.name ?? '';
  if (COUNTS.has(name)) return 'never';
  // Without groups there is a row for no rows at all, and with a filter a group may be left with none.
  if (nodesOf(scope.query.fields.groupClause).length === 0 || fields.aggfilter !== null) return 'maybe';
  return all(nodesOf(fields.args).map((entry) => expression(scope, entry.fields.expr)));
}

function window(scope: Scope, { fields }: TreeNode): Nullness {
  const name = scope.catalogue.functions.get(fields.winfnoid as string)?.name ?? '';
  if (COUNTS.has(name)) return 'never';
  return fields.winagg === 'true' && fields.aggfilter === null ? all(each(scope, fields.args)) : 'maybe';
}

function sublink(scope: Scope, { fields }: TreeNode): Nullness {
  const [EXISTS, VALUE, ARRAY] = ['0', '4', '6'];
  if (fields.subLinkType === EXISTS || fields.subLinkType === ARRAY) return 'never';
  if (fields.subLinkType !== VALUE) return 'unknown';
  const query = fields.subselect as TreeNode;
  const isOneRow =
    query.fields.hasAggs === 'true' &&
    nodesOf(query.fields.groupClause).length === 0 &&
    query.fields.havingQual === null;
  return isOneRow ? column(scopeIn(scope, query), 0) : 'maybe';
}

const each = (scope: Scope, list: Tree | undefined): Nullness[] => nodesOf(list).map((part) => expression(scope, part));

function expression(scope: Scope, node: Tree | undefined): Nullness {
  if (!isNode(node)) return 'unknown';
  const { tag, fields } = node;
  switch (tag) {
    case 'VAR':
      return variable(scope, node);
    case 'CONST':
      return fields.constisnull === 'true' ? 'maybe' : 'never';
    case 'COALESCEEXPR':
    case 'MINMAXEXPR':
      return isOfFullJoin(scope, nodesOf(fields.args)) ? 'never' : any(each(scope, fields.args));
    case 'OPEXPR':
      return call(scope, fields.opfuncid, fields.args);
    case 'FUNCEXPR':
      return fields.funcretset === 'true' ? 'unknown' : call(scope, fields.funcid, fields.args);
    case 'BOOLEXPR':
    case 'SCALARARRAYOPEXPR':
      return all(each(scope, fields.args));
    case 'RELABELTYPE':
    case 'COERCEVIAIO':
    case 'ARRAYCOERCEEXPR':
    case 'COLLATEEXPR':
      return expression(scope, fields.arg);
    case 'CASEEXPR': {
      const results = nodesOf(fields.args).map((branch) => expression(scope, branch.fields.result));
      return all([...results, expression(scope, fields.defresult)]);
    }
    case 'AGGREF':
      return aggregate(scope, node);
    case 'WINDOWFUNC':
      return window(scope, node);
    case 'SUBLINK':
      return sublink(scope, node);
    case 'NULLIFEXPR':
      return 'maybe';
    case 'NULLTEST':
    case 'BOOLEANTEST':
    case 'DISTINCTEXPR':
    case 'ARRAYEXPR':
    case 'ROWEXPR':
    case 'SQLVALUEFUNCTION':
      return 'never';
    default:
      return 'unknown';
  }
}

function up(scope: Scope, levels: number): Scope | undefined {
  let at: Scope | undefined = scope;
  for (let level = 0; level < levels; level += 1) at = at?.parent;
  return at;
}

function leavesOf({ tag, fields }: TreeNode): string[] {
  if (tag === 'RANGETBLREF') return [fields.rtindex as string];
  const EXCEPT = '3';
  const sides = fields.op === EXCEPT ? [fields.larg] : [fields.larg, fields.rarg];
  return sides.filter(isNode).flatMap(leavesOf);
}

function isOrdinality({ fields }: TreeNode, column: number): boolean {
  const names = isNode(fields.eref) ? fields.eref.fields.colnames : undefined;
  return fields.funcordinality === 'true' && Array.isArray(names) && column === names.length;
}

function scopeOf(query: TreeNode, catalogue: Catalogue, parent: Scope | undefined): Scope {
  const proven = new Set<string>();
  proveFrom(query.fields.jointree, proven, catalogue);
  return { query, catalogue, parent, proven, depth: (parent?.depth ?? 0) + 1 };
}

const scopeIn = (scope: Scope, query: Tree | undefined): Scope => scopeOf(query as TreeNode, scope.catalogue, scope);

/** What has to be there for a row to be returned: conditions of the query and of its inner joins. */
function proveFrom(node: Tree | undefined, proven: Set<string>, catalogue: Catalogue): void {
  if (!isNode(node)) return;
  const { tag, fields } = node;
  const [INNER, LEFT] = ['0', '1'];
  if (tag === 'FROMEXPR') for (const item of nodesOf(fields.fromlist)) proveFrom(item, proven, catalogue);
  if (tag === 'FROMEXPR' || (tag === 'JOINEXPR' && fields.jointype === INNER)) prove(fields.quals, proven, catalogue);
  if (tag !== 'JOINEXPR') return;
  if (fields.jointype === INNER || fields.jointype === LEFT) proveFrom(fields.larg, proven, catalogue);
  if (fields.jointype === INNER) proveFrom(fields.rarg, proven, catalogue);
}

/** A condition that is true has no null in what it compares. */
function prove(node: Tree | undefined, proven: Set<string>, catalogue: Catalogue): void {
  if (!isNode(node)) return;
  const { tag, fields } = node;
  const IS_NOT_NULL = '1';
  const args = nodesOf(fields.args);
  if (tag === 'BOOLEXPR' && fields.boolop === 'and') for (const arg of args) prove(arg, proven, catalogue);
  else if (tag === 'NULLTEST') {
    if (fields.nulltesttype === IS_NOT_NULL) proveThere(fields.arg, proven, catalogue);
  } else if (tag === 'BOOLEXPR') {
    if (fields.boolop === 'not') proveThere(args[0], proven, catalogue);
  } else if (tag === 'SCALARARRAYOPEXPR') {
    if (fields.useOr === 'true') proveThere(args[0], proven, catalogue);
  } else proveThere(node, proven, catalogue);
}

/** A value that is not null was made of none, where strict functions made it. */
function proveThere(node: Tree | undefined, proven: Set<string>, catalogue: Catalogue): void {
  if (!isNode(node)) return;
  const { tag, fields } = node;
  if (tag === 'VAR' && fields.varlevelsup === '0') {
    proven.add(`${wordOf(fields.varno)}.${wordOf(fields.varattno)}`);
    proven.add(fields.varno as string);
  } else if (tag === 'RELABELTYPE' || tag === 'COERCEVIAIO') proveThere(fields.arg, proven, catalogue);
  else if (tag === 'OPEXPR' || tag === 'FUNCEXPR') {
    const isStrict = catalogue.functions.get((fields.opfuncid ?? fields.funcid) as string)?.isStrict;
    if (isStrict) for (const arg of nodesOf(fields.args)) proveThere(arg, proven, catalogue);
  }
}
