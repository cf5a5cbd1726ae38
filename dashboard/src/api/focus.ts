/** After an answer, its rows are on the page by then. */
const DRAWN_MS = 100;

/**
 * For what was pressed and goes, as with the row that it stood in: then the focus would be nowhere. @returns puts it to the
 * heading of its section or dialog, or of the page, unless something has it.
 */
export function focusNear(pressed: Element | null): () => void {
  const place = pressed?.closest('section, dialog');
  return () =>
    // Once what has changed is drawn.
    setTimeout(() => {
      if (pressed === null || (pressed.isConnected && !pressed.matches(':disabled'))) return;
      if (document.activeElement !== document.body) return;
      const heading = (place?.isConnected && place.querySelector('h2')) || document.querySelector('main h1');
      if (!(heading instanceof HTMLElement)) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }, DRAWN_MS);
}
