import { analyse } from 'scslre';
import ts from 'typescript';
import type { Rule, SourceFile } from './rules.ts';

const SETTING = 'a setting of the operator';
const OURS = 'a text of our own, not of a caller';
const ADDRESS = 'no more than 254 characters are looked at';
const FIGURE = 'the digits of an amount';

/** Patterns that may look through the same text more than once, and why that text is short. */
const SHORT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/access/authorize.ts': { '/\\/+$/': SETTING },
  'src/admin/command.ts': { '/T.*(Z|[+-]\\d{2}:\\d{2})$/': 'an option of a command that the operator types' },
  'src/batches/item-text.ts': {
    '/\\s*(?:\\/[=-]|=)$/': 'no amount of more than 40 characters is looked at',
    '/(?:\\s*only)?\\.?$/i': 'no amount of more than 40 characters is looked at',
    '/0+$/': 'no amount of more than 40 characters is looked at',
  },
  'src/daily-close/draw-close.ts': { '/\\B(?=(\\d{3})+(?!\\d)(?=.*\\.))/g': FIGURE },
  'src/disputes/evidence-files.ts': { '/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/': ADDRESS },
  'src/merchants/schemas.ts': { '/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/': ADDRESS },
  'src/money/amount.ts': { '/\\B(?=(?:\\d{3})+$)/g': FIGURE },
  'src/people/email.ts': {
    '/^[^\\s@<>(),;:"[\\]\\\\]+@[^\\s@<>(),;:"[\\]\\\\]+\\.[^\\s@<>(),;:"[\\]\\\\]+$/': ADDRESS,
  },
  'src/platform/db/embedded/index.ts': { '/\\d+$/': OURS },
  'src/platform/db/primary.ts': { '/^(postgres(?:ql)?:\\/\\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s': SETTING },
  'src/platform/db/statement.ts': {
    '/(\\w+\\.merchant_id) = (?:rows|said|moved|held|before|counted|ended|advance)\\.merchant_id/g': OURS,
  },
  'src/platform/http/schemas.ts': { '/^[!-;=?A-~]+@[!-;=?A-~]+\\.[!-;=?A-~]+$/': ADDRESS },
  'src/platform/spreadsheet/cells.ts': { '/0+$/': 'the decimals of a number that was rounded' },
  'src/rails/http.ts': { '/\\/+$/': SETTING },
};

/**
 * A pattern that may begin at each letter of a long word, or divide a text at many places, looks through it from each of them:
 * a body of 64 KiB then keeps everybody waiting for seconds. Whatever a caller, a bank or a provider sends is looked through
 * by patterns that take as long as it is, or is short (see `SHORT`).
 */
export const patternsGoThroughATextOnce: Rule = (files) =>
  files.flatMap((file) =>
    patternsIn(file)
      .filter((pattern) => mayRepeat(pattern) && SHORT[file.path]?.[pattern] === undefined)
      .map((pattern) => `${file.path}: ${pattern} may look through a text from each of its letters`),
  );

/** What is listed as short and is not there any more. */
export const shortTextsAreStillThere: Rule = (files) => {
  const found = new Map(files.map((file) => [file.path, new Set(patternsIn(file).filter(mayRepeat))]));
  return Object.entries(SHORT).flatMap(([path, patterns]) =>
    Object.keys(patterns)
      .filter((pattern) => found.get(path)?.has(pattern) !== true)
      .map((pattern) => `${path} has no ${pattern}`),
  );
};

/** As literals, in `new RegExp('...')`, as `pattern:` of a schema, and as a constant that is named so. */
function patternsIn({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    const source = sourceOf(node);
    if (source !== undefined) found.push(`/${source}/`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false));
  return found;
}

function sourceOf(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
    return textOf(node.arguments?.[0]);
  }
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'pattern') {
    return textOf(node.initializer);
  }
  const isNamed = ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text.endsWith('PATTERN');
  return isNamed ? textOf(node.initializer) : undefined;
}

const textOf = (node: ts.Expression | undefined) =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;

function mayRepeat(pattern: string): boolean {
  const end = pattern.lastIndexOf('/');
  return analyse(new RegExp(pattern.slice(1, end), pattern.slice(end + 1))).reports.length > 0;
}
