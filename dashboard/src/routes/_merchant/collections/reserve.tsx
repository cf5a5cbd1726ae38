import { createFileRoute } from '@tanstack/react-router';
import { ReservePage } from '../../../reserves/reserve-page.tsx';

export const Route = createFileRoute('/_merchant/collections/reserve')({ component: ReservePage });
