import type { Context } from '../../platform/context.ts'
import { patiently } from '../../platform/db/patiently.ts'
import { inTenant, poolFor, type Tx } from '../../platform/db/transaction.ts'
import { PageSize } from '../../platform/loop/page-size.ts'
import { restAfter } from '../../platform/loop/rest.ts'

/** A person waits for the file: it rests for a shorter time than exports for machines do. */
const shareOfRest = 1 / 4

/**
 * Entries of the trail for a file, `read` after the last one that was read, each page in a transaction of its own and in the company's share: the
 * call's is over when the answer begins, and what was written does not change. Where others want the processors it rests between pages.
 */
export async function* trailPages<Row>(
  { services, companyId }: Context,
  read: (tx: Tx, last: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const size = new PageSize()
  for (let last: Row | undefined; ; ) {
    const limit = size.rows
    let tookMs = 0
    const rows = await patiently(() =>
      services.shares.run(companyId, async ({ isHeldBack }) => {
        const began = performance.now()
        const page = await inTenant(poolFor(services, isHeldBack), companyId, ({ tx }) => read(tx, last, limit))
        tookMs = performance.now() - began
        return page
      }),
    )
    yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    size.took(tookMs)
    await restAfter(tookMs * shareOfRest)
  }
}
