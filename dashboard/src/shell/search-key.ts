import { useEffect } from 'react';

/** `/` goes to the search of the page, as people know it, unless they are typing. */
export function useSearchKey(): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const field = document.querySelector<HTMLElement>('main [data-page-search]');
      if (field === null || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      field.focus();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
