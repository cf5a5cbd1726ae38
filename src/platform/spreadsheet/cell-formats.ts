import { DAY_MS } from '../clock.ts';
import { numberText } from './cells.ts';
import { fileTooComplex, MAX_CELL_FORMATS } from './errors.ts';
import { isOff, type XmlHandler } from './xml.ts';

/**
 * How a cell shows its number, where that is another text than the number: `text` is undefined for a number that the
 * cell has no room for, which a person sees as `#####`.
 */
export interface CellFormat {
  /** @param plain the number as digits */
  text(stored: number, plain: string): string | undefined;
  /** The text of a date. Left out where it shows none. */
  date?: (at: Date) => string;
}

/** Formats by the number of a cell's style. */
export interface CellFormats {
  /** A style that shows a number as it is has none. */
  formats: ReadonlyMap<number, CellFormat>;
  /** Styles that strike out the content of a cell. */
  struck: ReadonlySet<number>;
}

/** Day 0 of a workbook, unless it counts from 1904. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const FIRST_DAY_1904 = Date.UTC(1904, 0, 1);
/** 31 December 9999. */
const LAST_DAY = 2_958_465;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The formats with dates or percentages that have a number and no text: those of Excel in English. */
const BUILT_IN: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  14: 'd/m/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  22: 'd/m/yy',
};

/** Parts of a format that are shown as they are: texts, colours and languages, and widths to be filled. */
const LITERAL = /"[^"]*"|\[[^[\]]*\]|\\.|[_*]./g;
/** Letters in a row. A date, with its time, has no others: `Standard`, some programs' word for General, has more. */
const WORDS = /[a-z\u00c0-\u024f]+/g;
const OF_DATES = /^[dmyhsegbntz]+$/;
/** The digits after a second. */
const PARTS_OF_SECOND = /(?<=s)[.,]0+/g;
/** The format of an account number or a code: only zeros, as many as it has digits. */
const ZEROS = /^0{2,20}$/;

/** A currency in brackets, with the country after it where there is one: `[$$-409]`, `[$USD]`. */
const IN_BRACKETS = /\[\$([^[\]-]+)(?:-[^[\]]*)?\]/;
const BRACKETS = /\[[^[\]]*\]/g;
/** A currency sign, with the letters before it: `US$`. */
const SIGN = /[A-Z]{0,3}(?!₦)\p{Sc}/u;
const CODE = /\b[A-Z]{3}\b/g;
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency').filter((code) => code !== 'NGN'));
/** The currency of all amounts in lists, as formats and columns name it. */
const NAIRA = /^(?:₦|=?N=?|NGN|(?:nigerian? )?naira|566|#)$/i;

export const isNaira = (currency: string): boolean => NAIRA.test(currency);

/** The currency that a format shows beside its number; undefined for naira, and where it shows none. */
function foreignCurrency(text: string): string | undefined {
  const bracketed = IN_BRACKETS.exec(text)?.[1]?.trim();
  if (bracketed !== undefined && bracketed !== '') return isNaira(bracketed) ? undefined : bracketed;
  const outside = text.replaceAll(BRACKETS, '');
  return SIGN.exec(outside)?.[0] ?? outside.match(CODE)?.find((code) => CODES.has(code));
}

/** Texts beside the number. */
const TEXTS = /"([^"]*)"|\\(.)/g;

/** Digits that a format shows beside its number, as in `0",000"`; undefined where it shows none. */
function digitsBeside(text: string): string | undefined {
  const [shown = ''] = text.split(';');
  return [...shown.matchAll(TEXTS)]
    .map(([, quoted = '', escaped = '']) => quoted + escaped)
    .find((one) => /\d/.test(one));
}

/** Parts of a format that count by something else than the sign of the number. */
const CONDITION = /\[[<>=]/;

/**
 * Whether a format shows nothing of a number: `;;;` is how somebody hides what stands in a cell. Its parts are for what is above
 * zero, below it, and zero; where one is missing, the first counts.
 */
function hiddenBy(text: string): ((stored: number) => boolean) | undefined {
  if (!text.includes(';') || CONDITION.test(text)) return undefined;
  const [above = '', below = above, zero = above] = text.replaceAll(LITERAL, 'x').split(';');
  if (above !== '' && below !== '' && zero !== '') return undefined;
  return (stored) => (stored > 0 ? above : stored < 0 ? below : zero) === '';
}

/** Undefined for a format that shows a number as a number. @param first day 0 */
function formatOf(text: string, first: number): CellFormat | undefined {
  const [format, isHidden] = [shownBy(text, first), hiddenBy(text)];
  if (isHidden === undefined) return format;
  return {
    ...format,
    text: (stored, plain) => (isHidden(stored) ? '' : format === undefined ? plain : format.text(stored, plain)),
  };
}

function shownBy(text: string, first: number): CellFormat | undefined {
  if (ZEROS.test(text)) return { text: (_, plain) => (/^\d+$/.test(plain) ? plain.padStart(text.length, '0') : plain) };
  const [above = ''] = text.replaceAll(LITERAL, '').toLowerCase().split(';');
  const letters = (above.match(WORDS) ?? []).filter((word) => OF_DATES.test(word)).join(' ');
  const [day, month, year] = [letters.includes('d'), letters.includes('m'), letters.includes('y')];
  // An "m" alone may be minutes. No date format has a place for a digit.
  if (!(day || year || letters.includes('mmm')) || /[0#?]/.test(above.replaceAll(PARTS_OF_SECOND, ''))) {
    if (above.includes('%')) return { text: (stored, plain) => `${numberText(String(stored * 100)) ?? plain}%` };
    const [currency, digits] = [foreignCurrency(text), digitsBeside(text)];
    if (currency !== undefined) return { text: (_, plain) => `${currency} ${plain}` };
    return digits === undefined ? undefined : { text: (_, plain) => `${plain} ${digits}` };
  }
  const date = (at: Date) => dateText(at, { day, month, year });
  return {
    text: (stored) =>
      stored >= 0 && stored < LAST_DAY + 1 ? date(new Date(first + Math.floor(stored) * DAY_MS)) : undefined,
    date,
  };
}

/** A date in a cell of type date, with or without a time. */
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]{1,20}Z?)?$/;

/** A date that its cell has as a text, as a person sees it; undefined for any other text. */
export function isoDateText(text: string, format: CellFormat | undefined): string | undefined {
  const [, day] = ISO_DATE.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day)) return undefined;
  return format?.date?.(at) ?? dateText(at, { day: true, month: true, year: true });
}

/** As this service writes dates, with the parts that the format has. */
function dateText(at: Date, { day, month, year }: { day: boolean; month: boolean; year: boolean }): string {
  return [
    ...(day ? [at.getUTCDate()] : []),
    ...(month ? [MONTHS[at.getUTCMonth()]] : []),
    ...(year ? [at.getUTCFullYear()] : []),
  ].join(' ');
}

/** Reads the formats from the styles part of a workbook. @throws AppError `FILE_TOO_COMPLEX` */
export function createFormatReader(from1904: boolean): CellFormats & { handler: XmlHandler } {
  const first = from1904 ? FIRST_DAY_1904 : FIRST_DAY;
  const byId = new Map<number, CellFormat | undefined>(
    Object.entries(BUILT_IN).map(([id, text]) => [Number(id), formatOf(text, first)]),
  );
  const formats = new Map<number, CellFormat>();
  const struck = new Set<number>();
  const struckFonts = new Set<number>();
  let ofCells = false;
  let at = 0;
  let fonts = 0;
  let ofFonts = false;
  const handler: XmlHandler = {
    open(name, attribute) {
      const id = Number(attribute('numFmtId'));
      if (name === 'cellXfs') ofCells = true;
      else if (name === 'fonts') ofFonts = true;
      else if (name === 'font' && ofFonts) fonts += 1;
      else if (name === 'strike' && ofFonts && !isOff(attribute('val'))) struckFonts.add(fonts - 1);
      else if (name === 'numFmt') byId.set(id, formatOf(attribute('formatCode') ?? '', first));
      else if (name === 'xf' && ofCells) {
        const format = byId.get(id);
        if (format !== undefined) formats.set(at, format);
        if (struckFonts.has(Number(attribute('fontId') ?? 0))) struck.add(at);
        at += 1;
      }
      if (Math.max(at, byId.size, fonts) > MAX_CELL_FORMATS) {
        throw fileTooComplex('The workbook has more formats of cells than a spreadsheet program makes.');
      }
    },
    close(name) {
      if (name === 'cellXfs') ofCells = false;
      if (name === 'fonts') ofFonts = false;
    },
  };
  return { handler, formats, struck };
}
