import { approvals, isKnownType, setApproval } from '../../core/provider/device-types.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { UsageError } from './usage-error.ts'

/** Shows the types of hardware that the PPECB approved; with a type and a number, or `none`, sets or takes away that of the type. */
export async function approve(tools: ProviderTools, type: string | undefined, number: string | undefined) {
  if (type !== undefined) {
    if (number === undefined || type.length > 100 || number.length > 60)
      throw new UsageError('Give a type, as in `devices list`, and its number of at most 60 signs, or none.')
    await changing(tools, async (tx) => {
      if (!(await isKnownType(tx, type)))
        throw new UsageError(`There is no hardware of the type "${type}": see \`devices list\`. Nothing was changed.`)
      const after = number === 'none' ? null : number
      const before = await setApproval(tx, type, after)
      return { act: 'devices.approve', target: type, before: { ppecb: before }, after: { ppecb: after } }
    })
  }
  const all = await asLogin(tools.pool, ({ tx }) => approvals(tx))
  for (const one of all) tools.out(`${one.type}: PPECB ${one.number}`)
  if (all.length === 0) tools.out('The PPECB approved no type of hardware.')
}
