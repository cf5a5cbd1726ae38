import { isOff } from './xml.ts';

/** Written before and after struck-out text, and before raised digits, as texts without styles show them. */
const STRUCK = '~';
const RAISED = '^';

/**
 * What has to be written between the pieces of a text, so that no digit of another style joins the number beside it.
 */
export interface TextRuns {
  open(name: string, attribute: (name: string) => string | undefined): void;
  /** @param text what was taken before this piece */
  before(text: string, piece: string): string;
  close(name: string): string;
}

/**
 * Follows the styles of a text through its runs: a footnote's mark after 50000 is no digit of it, nor is a sum that was
 * struck out.
 */
export function createTextRuns(): TextRuns {
  let struck = false;
  let raised = false;
  let begins = false;
  let marked = false;
  return {
    open(name, attribute) {
      if (name === 'r' || name === 'c' || name === 'si') {
        struck = false;
        raised = false;
      } else if (name === 'strike') struck = !isOff(attribute('val'));
      else if (name === 'vertAlign') raised = attribute('val') !== 'baseline';
      else if (name === 't') begins = true;
    },
    before(text, piece) {
      if (!begins) return '';
      begins = false;
      marked = struck && piece.trim() !== '';
      if (marked) return STRUCK;
      return raised && /\d$/.test(text) && /^\d/.test(piece) ? RAISED : '';
    },
    close(name) {
      if (name !== 't' || !marked) return '';
      marked = false;
      return STRUCK;
    },
  };
}
