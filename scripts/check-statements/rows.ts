import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** What the code says of one column. */
export interface TypedColumn {
  /** What JavaScript gets, without null: `string`, `bigint`, `Date`, `string[]`; several where it is a union. */
  kinds: readonly string[];
  nullable: boolean;
  optional: boolean;
}

/** A call that makes a statement. */
export interface CallSite {
  place: string;
  /** The rows that it says to return; undefined where a type parameter decides. */
  row: ReadonlyMap<string, TypedColumn> | undefined;
}

const FACTORIES = new Set(['statement', 'ofDueTenants', 'composed', 'setInsert', 'setStatement', 'setQuestion']);
const FACTORY_FILE = /\/platform\/db\/statement\.ts$/;

/** Every call that makes a statement in the files, with the type of its rows as the compiler sees it. */
export function findCallSites(files: readonly string[]): CallSite[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const config = ts.getParsedCommandLineOfConfigFile(
    `${root}tsconfig.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
      },
    },
  );
  const program = ts.createProgram(files, config?.options ?? {});
  const checker = program.getTypeChecker();
  const sites: CallSite[] = [];
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source === undefined || FACTORY_FILE.test(file)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isFactory(node, checker)) {
        const { line, character } = source.getLineAndCharacterOfPosition(node.expression.getStart(source));
        sites.push({ place: `${file}:${line + 1}:${character + 1}`, row: rowOf(node, checker) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return sites;
}

function isFactory({ expression }: ts.CallExpression, checker: ts.TypeChecker): boolean {
  if (!ts.isIdentifier(expression) || !FACTORIES.has(expression.text)) return false;
  let symbol = checker.getSymbolAtLocation(expression);
  if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return FACTORY_FILE.test(symbol?.declarations?.[0]?.getSourceFile().fileName ?? '');
}

/** `Statement<Row>` carries its rows as `row`, a `SetQuestion` as `found`, and what is composed in its `statement`. */
function rowOf(call: ts.CallExpression, checker: ts.TypeChecker): CallSite['row'] {
  const made = checker.getTypeAtLocation(call);
  const statement = propertyType(made, 'statement', checker) ?? made;
  const row = propertyType(statement, 'found', checker) ?? propertyType(statement, 'row', checker);
  return row === undefined ? new Map() : columnsOf(row, checker);
}

function propertyType(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const property = checker.getPropertyOfType(type, name);
  return property && checker.getNonNullableType(checker.getTypeOfSymbol(property));
}

function columnsOf(row: ts.Type, checker: ts.TypeChecker): CallSite['row'] {
  const parts = row.isIntersection() ? row.types : [row];
  if (parts.some((part) => part.flags & ts.TypeFlags.TypeParameter)) return undefined;
  return new Map(
    checker.getPropertiesOfType(row).map((property) => {
      const type = checker.getTypeOfSymbol(property);
      const kinds = new Set<string>();
      const nullable = addKinds(type, kinds, checker);
      const optional = kinds.delete('undefined');
      return [property.name, { kinds: [...kinds], nullable, optional }];
    }),
  );
}

/** Adds what the type may be; true where that may be null. */
function addKinds(type: ts.Type, kinds: Set<string>, checker: ts.TypeChecker): boolean {
  if (type.isUnion()) return type.types.map((part) => addKinds(part, kinds, checker)).some(Boolean);
  if (type.flags & ts.TypeFlags.Null) return true;
  kinds.add(kindOf(type, checker));
  return false;
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): string {
  const { flags } = type;
  if (flags & ts.TypeFlags.StringLike) return 'string';
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & ts.TypeFlags.BigIntLike) return 'bigint';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (flags & ts.TypeFlags.Undefined) return 'undefined';
  if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return 'unknown';
  if (type.isIntersection()) return type.types.map((part) => kindOf(part, checker)).join(' & ');
  if (checker.isArrayType(type)) {
    const kinds = new Set<string>();
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    if (item !== undefined) addKinds(item, kinds, checker);
    return `${[...kinds].join(' | ')}[]`;
  }
  const name = type.symbol?.name;
  return name === 'Date' || name === 'Buffer' ? name : 'object';
}
