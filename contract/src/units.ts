import { z } from 'zod'

/** Prepaid units are of one kind of message each: an SMS segment, or a chat message. */
export const WalletKind = z.enum(['sms', 'chat'])
export type WalletKind = z.infer<typeof WalletKind>
