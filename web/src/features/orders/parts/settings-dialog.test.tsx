// @vitest-environment page
import { dispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refetchCalls } from '../../../lib/query.ts'
import { eventually, find, isShown, leave, logInAs, press, serve, show } from '../../../test/show.tsx'
import { SettingsDialog } from './settings-dialog.tsx'

afterEach(leave)
beforeEach(() => logInAs('admin'))

const settings = {
  ...{
    currency: 'NGN',
    baseFee: 0,
    feePerKm: 0,
    feePerKg: 0,
    feePerStop: 0,
    preCoolRequired: false,
    ignoreMinutes: 10,
  },
  ...{
    showsDriverName: false,
    fenceSettles: true,
    freeMinutes: 60,
    carriage: 'cmr',
    noticeDays: 7,
    lateMail: null,
    reminderMinutes: null,
    escalateMinutes: 20,
  },
  ...{ version: 3, currencyInUse: 'NGN' },
}
const ada = {
  userId: '2',
  rotaId: null,
  onCall: null,
  name: 'Ada Obi',
  channels: ['mail', 'sms'],
  unreachable: ['sms'],
  mayView: true,
}
const musa = {
  userId: '3',
  rotaId: null,
  onCall: null,
  name: 'Musa Bello',
  channels: ['app'],
  unreachable: [],
  mayView: false,
}
const nights = { ...ada, userId: null, rotaId: '7', onCall: null, name: 'Nights', channels: ['app'], unreachable: [] }
const page = { page: 1, perPage: 100, total: 1, pageCount: 1 }
const people = { data: [{ id: '2', fullname: 'Ada Obi', phone: null }], meta: page }

let version = 3

async function open() {
  version = 3
  const requests = serve(({ method, path }) => {
    if (path.startsWith('/users')) return { payload: people }
    if (path.startsWith('/on-call')) return { payload: [] }
    const recipients = { late: [ada], outOfRange: [musa] }
    const escalation = { late: [nights], outOfRange: [] }
    return { payload: { ...settings, recipients, escalation, version: method === 'PUT' ? version + 1 : version } }
  })
  await show(<SettingsDialog onClose={() => undefined} />, { texts: ['orders', 'triggers'] })
  return requests
}

test('the people who hear of orders stand there with their channels, and are saved with the settings', async () => {
  const requests = await open()
  await find('[role=group] p', 'Ada Obi')
  await press('Remove Musa Bello')
  await press('Save')
  const saved = await eventually(() => {
    const put = requests.find(({ method }) => method === 'PUT')
    expect(put).toBeDefined()
    return put
  })
  expect(saved?.body).toMatchObject({
    ...{ version: 3, ignoreMinutes: 10 },
    recipients: { late: [{ userId: '2', channels: ['mail', 'sms'] }], outOfRange: [] },
    ...{ escalateMinutes: 20, escalation: { late: [{ rotaId: '7', channels: ['app'] }], outOfRange: [] } },
  })
})

test('settings that somebody else saved meanwhile are not replaced unseen, also once they were loaded again', async () => {
  const requests = await open()
  await press('Remove Musa Bello')
  version = 4
  await refetchCalls(dispatchSettings.read)
  await new Promise((wake) => setTimeout(wake, 50))
  await press('Save')
  await eventually(() => expect(requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({ version: 3 }))
})

test('somebody whom no message reaches is told of, and a rota that reaches nobody', async () => {
  await open()
  await find('p', 'On-call rota Nights')
  await find('p', 'Reaches nobody now')
  await find('p', /Musa Bello may not view dispatch/)
  await find('p', /Ada Obi has no phone number/)
  expect(isShown('Choose at least one channel.')).toBe(false)
})
