import type { WalletNotice } from '../../core/alerts/notice-texts.ts'
import type { News } from '../../core/alerts/notification-lines.ts'
import { type Wallet, warnOnce } from '../../core/wallet/wallet-queries.ts'
import type { Client } from '../../platform/db/pool.ts'
import { tellAdmins } from './tell-admins.ts'

/** Tells the Admins once, in-app and by mail, that units run low, or have run out, until new ones come. */
export async function tellOfWallet(
  client: Client,
  { companyId, channel }: Wallet,
  isEmpty: boolean,
  overdraftPerDay: number,
  now: Date,
): Promise<News[]> {
  if (channel !== 'sms' && channel !== 'chat') return []
  const remaining = await warnOnce(client, { companyId, channel }, isEmpty, now)
  if (remaining === undefined) return []
  const notice: WalletNotice = {
    ...{ state: isEmpty ? 'empty' : 'low', wallet: channel, remaining },
    ...(isEmpty && overdraftPerDay > 0 ? { overdraftPerDay } : {}),
  }
  const key = `wallet ${notice.state} ${channel} ${now.toISOString()}`
  return tellAdmins(client, { companyId, kind: 'wallet', key, notice }, now)
}
