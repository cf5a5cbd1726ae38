import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ratio } from 'fuzzball';
import { type Command, UsageError } from './command.ts';

/** So like, of 100, a name has to be to be meant: one or two letters of a short one, some of a long one. */
const LIKE = 70;
/** What is so much less like than the best is not meant. */
const NEARLY = 6;
const MOST_NAMED = 6;
/** A longer word than any name is none that was mistyped. */
const MAX_WORD_LENGTH = 60;

type Commands = readonly Command[];

/** What `admin help` says, of all or of some. */
export function overview(commands: Commands): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`);
  return `npm run admin -- <command> [options]\n\n${lines.join('\n')}\n\n<command> --help says what a command takes, help <word> which commands have the word in their names.`;
}

export function usageOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => ({
    left: option.type === 'string' ? `--${name} <text>` : `--${name}`,
    right: option.required ? `${option.about} (required)` : option.about,
  }));
  const heading = `npm run admin -- ${command.name}${options.length === 0 ? '' : ' [options]'}\n${command.about}`;
  if (options.length === 0) return `${heading}\n\nIt takes no options.`;
  const width = Math.max(...options.map(({ left }) => left.length));
  const lines = options.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`);
  return `${heading}\n\n${lines.join('\n')}`;
}

/** In a few lines: a hundred commands would scroll away what was wrong. */
export function unknownCommand(word: string, commands: Commands): string {
  const rest =
    'npm run admin -- help lists all commands, npm run admin -- help <word> those with the word in their names.';
  return `There is no command ${JSON.stringify(word)}.${whatWasMeant(word, commands)}\n\n${rest}`;
}

function whatWasMeant(word: string, commands: Commands): string {
  const names = commands.map(({ name }) => name);
  const similar = similarOnes(word, names);
  const likely = similar.length > 0 ? similar : names.filter((name) => hasWords(name, word));
  if (likely.length === 0) return '';
  if (likely.length > MOST_NAMED) return ` ${likely.length} commands have it in their names.`;
  return ` Did you mean ${inWords(likely, 'or')}?`;
}

/** The commands with these words in their names, in singular or plural. */
export function commandsWith(words: readonly string[], commands: Commands): Commands {
  return commands.filter(({ name }) => words.every((word) => hasWords(name, word)));
}

function hasWords(name: string, word: string): boolean {
  const asked = wordsOf(word);
  const has = wordsOf(name);
  return asked.length > 0 && asked.every((one) => has.some((other) => other.startsWith(one.replace(/(?<=.)s$/, ''))));
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** Those that are spelled nearly so, the most similar first. */
function similarOnes(word: string, names: readonly string[]): string[] {
  if (word.length > MAX_WORD_LENGTH) return [];
  const scores = names.map((name) => ({ name, score: ratio(word.toLowerCase(), name) }));
  const best = Math.max(...scores.map(({ score }) => score));
  return scores
    .filter(({ score }) => score >= LIKE && score > best - NEARLY)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_NAMED)
    .map(({ name }) => name);
}

function inWords(items: readonly string[], last: 'and' | 'or'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

type Token = ReturnType<typeof tokensOf>[number];
type Options = Command['options'];

/** @throws UsageError */
export function readOptions(command: Command, args: readonly string[]): Record<string, unknown> {
  const values: Record<string, string | boolean | string[]> = {};
  for (const token of tokensOf(command.options, args)) {
    if (token.kind === 'option-terminator') continue;
    const { name, value } = requireOption(command, token);
    const before = values[name];
    if (before === undefined) values[name] = command.options[name]?.multiple === true ? [String(value)] : value;
    else if (Array.isArray(before)) before.push(String(value));
    else throw new UsageError(`--${name} is given twice.`);
  }
  const missing = Object.entries(command.options).filter(([name, { required }]) => required && !(name in values));
  if (missing.length > 0) {
    const names = missing.map(([name]) => `--${name}`);
    throw new UsageError(`${inWords(names, 'and')} ${names.length === 1 ? 'is' : 'are'} missing.`);
  }
  return values;
}

/** What stands there, without a judgement: what Node says of a mistake is about its own rules. */
function tokensOf(options: Options, args: readonly string[]) {
  const known: ParseArgsOptionsConfig = {};
  for (const [name, { type, multiple }] of Object.entries(options)) known[name] = { type, multiple: multiple === true };
  return parseArgs({ args: [...args], options: known, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function requireOption({ name: command, options }: Command, token: Exclude<Token, { kind: 'option-terminator' }>) {
  if (token.kind === 'positional') {
    throw new UsageError(
      `${JSON.stringify(token.value)} belongs to no option: a value stands behind the name of its option, in quotes where it has spaces.`,
    );
  }
  const { name, rawName, value, inlineValue } = token;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const likely = similarOnes(name, Object.keys(options)).map((one) => `--${one}`);
    throw new UsageError(
      `${command} has no option ${rawName}.${likely.length === 0 ? '' : ` Did you mean ${inWords(likely, 'or')}?`}`,
    );
  }
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`);
    return { name, value: true };
  }
  if (value === undefined) throw new UsageError(`--${name} needs a value.`);
  if (inlineValue === false && value.startsWith('-') && value !== '-') {
    throw new UsageError(`--${name} needs a value. One that begins with a hyphen is written --${name}=-….`);
  }
  return { name, value };
}
