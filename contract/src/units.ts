import { z } from 'zod'

/** Prepaid units are of one kind of message each: an SMS segment, or a chat message. */
export const WalletKind = z.enum(['sms', 'chat'])
export type WalletKind = z.infer<typeof WalletKind>

/** How much is left in a wallet. */
export const WalletBalance = z.object({ kind: WalletKind, remaining: z.number().int(), warnBelow: z.number().int() })
