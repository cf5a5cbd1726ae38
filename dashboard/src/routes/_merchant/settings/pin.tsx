import { createFileRoute } from '@tanstack/react-router';
import { PinPage } from '../../../pin/pin-page.tsx';

export const Route = createFileRoute('/_merchant/settings/pin')({ component: PinPage });
