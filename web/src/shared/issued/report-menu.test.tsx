// @vitest-environment page
import { deviceReports } from '@isotherm/contract/device-reports.ts'
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '../../lib/call-error.ts'
import { logOut, setSession } from '../../lib/session.ts'
import { eventually, field, find, leave, logInAs, press, serve, show } from '../../test/show.tsx'
import type { Issue, IssuedKind, ReportChoice } from './issued-kind.ts'
import { ReportMenu } from './report-menu.tsx'

const report: Issue = {
  ...{ id: '1', state: 'failed', progress: 0, failure: 'broken', requestedBy: 'Ann', contents: [] },
  ...{ period: { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' } },
  createdAt: '2026-11-02T00:00:00.000Z',
}
let ordered: { choice: ReportChoice; recipients: string[] }[]
const kind: IssuedKind<Issue> = {
  order: async (choice, recipients) => {
    ordered.push({ choice, recipients })
    return report
  },
  one: async () => report,
  load: async () => new Blob(),
  fileName: () => 'van.pdf',
  failure: () => 'It could not be written.',
  ...{ list: deviceReports.list, title: 'Send it', downloadTitle: 'Download it' },
}
const menu = <ReportMenu kind={kind} subject="device" formats={['pdf', 'xlsx', 'csv']} />
const choose = async (item: string | RegExp) => {
  await press('Download')
  await (await find('[role=menuitem]', item)).click()
}
const texts = ['issued', 'reports', 'errors']

beforeEach(() => {
  ordered = []
  localStorage.clear()
  logInAs('manager')
})
afterEach(leave)

test('a format is built with what a scheduled report has; a CSV with the readings', async () => {
  await show(menu, { texts })
  await choose('PDF')
  await eventually(() => expect(ordered).toHaveLength(1))
  await choose('CSV')
  await eventually(() => expect(ordered).toHaveLength(2))
  expect(ordered.map(({ choice }) => choice)).toEqual([
    { format: 'pdf', contents: ['stats', 'charts', 'excursions', 'alarms'], locale: 'en' },
    { format: 'csv', contents: ['readings'], locale: 'en' },
  ])
})

test('the contents and the language that were chosen are built, and kept for the next time until logout', async () => {
  await show(menu, { texts })
  await choose(/^Contents and language/)
  ;(await field('Charts')).click()
  ;(await field('Alarms')).click()
  const locale = (await field('Language of the files')) as unknown as HTMLSelectElement
  locale.value = 'fr'
  locale.dispatchEvent(new Event('change', { bubbles: true }))
  const submit = await find('[role=dialog] button[type=submit]')
  submit.click()
  const chosen = { format: 'pdf', contents: ['stats', 'excursions'], locale: 'fr' }
  await eventually(() => expect(ordered).toEqual([{ choice: chosen, recipients: [] }]))
  await show(menu, { texts })
  await choose('PDF')
  await eventually(() => expect(ordered[1]?.choice).toEqual(chosen))
  serve(() => ({}))
  logOut()
  expect(localStorage.getItem('isotherm.report.device')).toBeNull()
})

test('who may not see alarms is not offered them, and none are asked for', async () => {
  const alarms = { view: false, addOrEdit: false, export: false }
  setSession({ roleModulePermissions: { ...defaultMatrix.manager, alarms } })
  await show(menu, { texts })
  await choose('PDF')
  await eventually(() => expect(ordered[0]?.choice.contents).toEqual(['stats', 'charts', 'excursions']))
})

test('a question that fails on a bad line ends nothing: the file is saved once it is built', async () => {
  const [saved, asked]: [string[], string[]] = [[], []]
  URL.createObjectURL = () => 'blob:van'
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  const answers: (() => Issue)[] = [
    () => {
      throw new CallError(0, 'NETWORK', 'The server cannot be reached.')
    },
    () => ({ ...report, state: 'ready', failure: null }),
  ]
  const slow: IssuedKind<Issue> = {
    ...kind,
    order: async () => ({ ...report, state: 'waiting', failure: null }),
    one: async () => {
      asked.push('again')
      return answers.shift()?.() ?? report
    },
  }
  await show(<ReportMenu kind={slow} subject="device" formats={['pdf']} />, { texts })
  await choose('PDF')
  await eventually(() => expect(saved).toEqual(['van.pdf']))
  expect(asked).toHaveLength(2)
  vi.restoreAllMocks()
})
