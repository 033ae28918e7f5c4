import { type Wallet, type WalletChange, wallet } from '@isotherm/contract/wallet.ts'
import type { z } from 'zod'
import { call } from '../../lib/call.ts'
import { saveChange } from '../../lib/save-change.ts'

type Change = Omit<z.input<typeof WalletChange>, 'version'>

const bodyOf = ({ warnBelow, topUp }: Wallet): Change => ({
  warnBelow,
  topUp: topUp && { below: topUp.below, units: topUp.units, cardId: topUp.cardId, monthlyMax: topUp.monthlyMax },
})

/** Saves what one form changes of a wallet; what another one changed meanwhile stays, and `onRefused` hears what it is where both changed the same. */
export const saveWallet = (seen: Wallet, change: Change, onRefused: (now: Wallet) => void): Promise<Wallet> =>
  saveChange({
    ...{ seen, change, bodyOf, onRefused },
    send: (body, how) => call(wallet.change, { params: { id: seen.id }, body }, how),
    async load() {
      const now = (await call(wallet.balances)).find(({ id }) => id === seen.id)
      return now ?? seen
    },
  })
