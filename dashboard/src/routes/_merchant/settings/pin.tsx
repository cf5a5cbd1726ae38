import { createFileRoute } from '@tanstack/react-router';
import { PinPage } from '../../../settings/pin-page.tsx';

export const Route = createFileRoute('/_merchant/settings/pin')({ component: PinPage });
