import { z } from 'zod'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import type { Job } from '../../platform/services.ts'
import { mailReceipt } from './receipt-mail-job.ts'
import { insertReceiptMail } from './receipt-mail-queries.ts'
import { writeReceipt } from './write-receipt.ts'

const OfHandOver = z.strictObject({ companyId: z.number().int(), handOverId: z.string() })

/** Writes the receipt of a hand-over, and has it mailed to the receiver where there is an address. */
export const makeReceipt: Job<z.infer<typeof OfHandOver>> = {
  name: 'hand-over-receipt',
  payload: OfHandOver,
  retryLimit: 8,
  async run(services, { companyId, handOverId }) {
    const written = await writeReceipt(services, companyId, handOverId)
    const address = written?.facts.receiver.email
    if (!address) return
    const { locale } = written.facts
    await inTenant(services.pool, companyId, async ({ tx, client }) => {
      const about = { handOverId, cause: 'handOver' as const, linkId: null, askedBy: null, at: services.clock.now() }
      const mailId = await insertReceiptMail({ tx, companyId }, { ...about, to: { address, locale } })
      if (mailId) await withLogin(tx, () => services.enqueue(client, mailReceipt, { companyId, mailId }))
    })
  },
}
