import { maskAddress } from '../../domain/mask-address.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { maskAddresses, unmaskedBefore } from './receipt-mail-queries.ts'

const perTurn = 500

/** Masks the addresses to which receipts were mailed before an instant; resolves to how many. That and when they were mailed stays. */
export async function forgetAddresses({ pool, clock }: Services, before: Date): Promise<number> {
  let masked = 0
  for (;;) {
    const count = await asPipeline(pool, async ({ tx }) => {
      const old = await unmaskedBefore(tx, before, perTurn)
      await maskAddresses(
        tx,
        old.map(({ address, ...row }) => ({ ...row, address: maskAddress(address) })),
        clock.now(),
      )
      return old.length
    })
    masked += count
    if (count < perTurn) return masked
  }
}
