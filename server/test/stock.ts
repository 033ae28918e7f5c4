import { newDeviceSecret, setClaimCode, stockHardware } from '../src/core/provider/hardware.ts'
import { issueKeys } from '../src/core/provider/licence-keys.ts'
import { asLogin } from '../src/platform/db/transaction.ts'
import { codeOf } from './claim-codes.ts'
import type { Stage } from './factories.ts'

let serial = 0

/** The Luhn check digit of 14 digits. */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** An IMEI nobody has, with a right check digit, or a wrong one. */
export function newImei({ wrong = false } = {}): string {
  serial += 1
  const digits = String(86_000_000_000_000 + serial)
  return `${digits}${(checkDigit(digits) + (wrong ? 1 : 0)) % 10}`
}

/** Hardware in the provider's stock that nobody has claimed. */
export async function buildHardware(
  test: Pick<Stage, 'pool'>,
  given: { imei?: string; type?: string; probes?: number; secret?: string } = {},
) {
  const { imei = newImei(), type = 'fridge', probes = 1, secret = newDeviceSecret() } = given
  const code = codeOf(imei)
  await asLogin(test.pool, async ({ tx }) => {
    await stockHardware(tx, { imei, type, probes }, secret)
    await setClaimCode(tx, imei, code)
  })
  return { imei, secret, code }
}

/** A licence key nobody has claimed. */
export async function buildKey(test: Stage, given: { devices?: number; months?: number } = {}): Promise<string> {
  const about = { devices: given.devices ?? 1, months: given.months ?? 12, count: 1, now: test.clock.now() }
  const [key = ''] = await asLogin(test.pool, ({ tx }) => issueKeys(tx, about))
  return key
}
