import { fileURLToPath } from 'node:url'
import { localeNames } from '@isotherm/contract/common.ts'
import { listItems } from '../core/provider/store.ts'
import { asLogin } from '../platform/db/transaction.ts'
import type { Services } from '../platform/services.ts'
import { desk } from './desk.ts'
import { storeWords } from './store-words.ts'

const prices: Record<string, string> = {
  tracker: '85000',
  'temperature-probe': '18500',
  'humidity-probe': '24000',
  gateway: '140000',
  'sim-card': '12000',
  calibration: '30000',
}

/** Things on sale in the demo, made up, each with a picture that we drew; only where the store is empty. */
export async function ensureStore({ pool }: Pick<Services, 'pool'>): Promise<void> {
  if ((await asLogin(pool, ({ tx }) => listItems(tx))).length > 0) return
  for (const [code, words] of Object.entries(storeWords)) {
    const set = (name: string, text: string, ...more: string[]) =>
      desk(pool, 'store', 'set', code, '--name', name, '--text', text, ...more)
    const picture = fileURLToPath(new URL(`store/${code}.png`, import.meta.url))
    await set(...words.en, '--currency', 'NGN', '--amount', prices[code] ?? '', '--picture', picture)
    for (const locale of localeNames.filter((each) => each !== 'en')) await set(...words[locale], '--locale', locale)
  }
}
