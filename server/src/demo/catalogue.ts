import { listPlans } from '../core/provider/plans.ts'
import { asLogin } from '../platform/db/transaction.ts'
import type { Services } from '../platform/services.ts'
import { desk } from './desk.ts'

/** The plan of the demo companies' keys. */
export const demoPlan = 'fleet'

const seller = [
  '--name',
  'Isotherm Demo Ltd',
  '--address',
  '12 Marina, Lagos',
  '--country',
  'NG',
  '--tax-number',
  '01234567-0001',
]
const fleet = [
  ...['--name', 'Fleet', '--devices', '50', '--users', '20', '--emails', '40', '--phones', '20', '--retention', '36'],
]
const prices: Record<string, [monthly: string, annually: string]> = {
  'one-device': ['5000', '50000'],
  'five-devices': ['22500', '225000'],
  'ten-devices': ['40000', '400000'],
  [demoPlan]: ['150000', '1500000'],
}

const bank = [
  ...['--currency', 'NGN', '--holder', 'Pretend Cold Chain Ltd', '--bank', 'Pretend Bank'],
  ...['--account', '0123456789', '--bic', 'PRETNGLA'],
]

const insurance = [
  ...['--name', 'Cold cargo', '--insurer', 'Pretend Mutual', '--currency', 'NGN', '--percent', '0.35'],
  ...['--min-premium', '5000', '--max-worth', '50000000', '--lead', '24'],
]

/** Plans, prices, units, an insurance, a tax and the seller, made up for the demo by the desk's own commands; once. */
export async function ensureCatalogue({ pool }: Pick<Services, 'pool'>): Promise<void> {
  if ((await asLogin(pool, ({ tx }) => listPlans(tx))).length > 0) return
  const run = (...args: string[]) => desk(pool, ...args)
  await run('plans', 'defaults')
  await run('plans', 'add', demoPlan, ...fleet)
  for (const [code, [monthly, annually]] of Object.entries(prices)) {
    const set = ['prices', 'set', code, '--currency', 'NGN', '--billing']
    await run(...set, 'monthly', '--amount', monthly)
    await run(...set, 'annually', '--amount', annually)
  }
  for (const kind of ['sms', 'chat']) {
    const set = ['units', 'set', '--kind', kind, '--currency', 'NGN', '--units']
    await run(...set, '1', '--amount', '6')
    await run(...set, '1000', '--amount', '5500', '--bundle')
  }
  await run('tax', 'set', '--country', 'NG', '--name', 'VAT', '--percent', '7.5', '--from', '2026-01-01')
  await run('insurances', 'add', ...insurance)
  await run('seller', 'set', ...seller)
  await run('seller', 'bank', ...bank)
}
