import type { ReactNode } from 'react';
import { PageHeader } from '../components/page-header.tsx';

/** A page before the sign-in: one thing to do, in the middle. */
export function PlainPage({ title, about, foot, children }: PlainPageProps) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-10 sm:py-16">
      <p className="mb-8 flex items-center gap-2.5 text-xl font-semibold tracking-tight">
        <BrandLogo />
        Manilla
      </p>
      <main className="card w-full max-w-md px-6 py-7 sm:px-8">
        <PageHeader title={title}>{about}</PageHeader>
        {children}
      </main>
      {foot !== undefined && <div className="mt-6 text-center text-muted">{foot}</div>}
    </div>
  );
}

export interface PlainPageProps {
  title: string;
  about?: ReactNode;
  foot?: ReactNode;
  children?: ReactNode;
}

/** The sign of the product, beside its name. */
export function BrandLogo() {
  return <img src={`${import.meta.env.BASE_URL}manilla.svg`} alt="" width={26} height={26} />;
}
