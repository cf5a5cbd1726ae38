import { createFileRoute } from '@tanstack/react-router';
import { HolidaysPage } from '../../operator-settlements/holidays-page.tsx';

export const Route = createFileRoute('/operator/bank-holidays')({ component: HolidaysPage });
