import { listDeskActs } from '../../core/provider/desk-log.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { table } from './show.ts'

const maxShown = 200

/** The latest changes of the desk, newest first. */
export async function showLog(tools: ProviderTools): Promise<void> {
  const acts = await asLogin(tools.pool, ({ tx }) => listDeskActs(tx, maxShown))
  const text = (value: unknown) => (value ? JSON.stringify(value) : '')
  const rows = acts.map(({ at, operator, action, target, before, after }) => [
    at.toISOString().slice(0, 19).replace('T', ' '),
    operator,
    action,
    target,
    text(before),
    text(after),
  ])
  table(tools, ['AT (UTC)', 'OPERATOR', 'ACTION', 'TARGET', 'BEFORE', 'AFTER'], rows)
}
