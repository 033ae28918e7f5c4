// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { recipientLine } from '../alarm-values.ts'
import { NoUnits } from './no-units.tsx'

const wallets = (sms: object) => [
  { kind: 'sms', remaining: 0, topUp: null, ...sms },
  { kind: 'chat', remaining: 0, topUp: null },
]
const open = (channels: ('app' | 'sms')[]) =>
  show(
    <NoUnits
      lines={[recipientLine({ kind: 'user', name: 'Ada', address: '', channels, userId: '1', rotaId: null })]}
    />,
    {
      texts: ['alarms'],
    },
  )

afterEach(leave)
logInAs('admin')

test('a channel without units is warned of where it is chosen, and nothing is asked where none costs units', async () => {
  const requests = serve(() => ({ payload: wallets({}) }))
  await open(['app', 'sms'])
  await find('p', /No SMS units are left/)
  expect(isShown('WhatsApp')).toBe(false)
  const asked = requests.length
  await open(['app'])
  expect([isShown('No SMS'), requests.length]).toEqual([false, asked])
})

test('units that are left, or buy themselves, are nothing to warn of', async () => {
  for (const sms of [{ remaining: 3 }, { topUp: { below: 5 } }]) {
    const requests = serve(() => ({ payload: wallets(sms) }))
    await open(['sms'])
    await eventually(() => expect(requests).toHaveLength(1))
    expect(isShown('No SMS')).toBe(false)
  }
})
