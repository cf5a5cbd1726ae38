import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

export interface PageHeaderProps {
  title: string;
  /** Beside the title: a status. */
  beside?: ReactNode;
  /** A sentence about what one does here. */
  children?: ReactNode;
  /** The buttons of the page, the main one last. */
  actions?: ReactNode;
  /** Where this page belongs to: "All payouts". */
  back?: LinkProps & { label: string };
}

/** The head of every page. It takes the focus and names the tab when somebody comes to it. */
export function PageHeader({ title, beside, children, actions, back }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Manilla`;
  }, [title]);
  useEffect(() => {
    const nothingHeld = document.activeElement === null || !document.activeElement.closest('main, dialog');
    if (nothingHeld) heading.current?.focus({ preventScroll: true });
  }, []);
  const { label: backLabel, ...backLink } = back ?? { label: '' };

  return (
    <header className="mb-6">
      {back !== undefined && (
        <Link {...backLink} className="mb-2 -ml-1 inline-flex items-center gap-1 text-sm text-muted hover:text-ink">
          <ChevronLeft className="size-4" aria-hidden />
          {backLabel}
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1
              ref={heading}
              tabIndex={-1}
              className="text-2xl font-semibold tracking-tight text-balance wrap-anywhere"
            >
              {title}
            </h1>
            {beside}
          </div>
          {children !== undefined && <div className="mt-1 max-w-2xl text-pretty text-muted">{children}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
    </header>
  );
}

export interface SectionProps {
  title: string;
  /** Beside the title, on the right. */
  actions?: ReactNode;
  about?: ReactNode;
  /** Without a card around it, for what brings its own. */
  bare?: boolean;
  children: ReactNode;
}

/** A part of a page under its own heading. */
export function Section({ title, actions, about, bare, children }: SectionProps) {
  return (
    <section className="mb-8 min-w-0">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="text-base font-semibold">{title}</h2>
          {about !== undefined && <p className="text-sm text-muted">{about}</p>}
        </div>
        {actions}
      </div>
      {bare === true ? children : <div className="card p-4 sm:p-5">{children}</div>}
    </section>
  );
}
