// @vitest-environment page
import { localeNames } from '@isotherm/contract/common.ts'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, show, typeKeys } from '../../../test/show.tsx'
import { newValues, ruleOf } from '../alarm-values.ts'
import { RuleFields } from './rule-fields.tsx'

const values = { ...newValues({ id: '1', name: 'Own' }, 'UTC'), counting: 'record' as const, totalMinutes: 90 }

let ruleNow: ReturnType<typeof ruleOf>
function Probe() {
  const [now, setNow] = useState<ReturnType<typeof newValues>>(values)
  ruleNow = ruleOf(now)
  const places = { geofences: [], points: [] } as never
  const change = (part: object) => setNow({ ...now, ...part })
  return <RuleFields values={now} change={change} errors={{}} places={places} fixedKind={false} />
}

afterEach(leave)
logInAs('admin')

test.each(localeNames)('minutes outside in total have their fields and an explanation in %s', async (locale) => {
  await show(<Probe />, { locale, texts: ['alarms'] })
  const shownIn = (path: string) => document.querySelector<HTMLInputElement>(`[data-path="${path}"]`)?.value
  await eventually(() => expect(shownIn('rule.cumulative.minutes')).toMatch(/^90\s/))
  const { [locale]: words } = {
    en: 'in total within a running record',
    fr: 'au total au cours d’un enregistrement',
    es: 'en total durante un registro en curso',
    sw: 'kwa jumla ndani ya rekodi inayoendelea',
  }
  expect(shownIn('rule.cumulative')).toBe(words)
  expect(document.querySelector('[data-path="rule.delayMinutes"]')).toBeNull()
  expect(ruleOf(values)).toMatchObject({ cumulative: { minutes: 90, window: 'record' } })
})

test('a limit of a freezer keeps the sign that is typed first', async () => {
  await show(<Probe />, { texts: ['alarms'] })
  const above = (await find('[data-path="rule.temperatureMaxC"]')) as HTMLInputElement
  expect(above.value).toMatch(/^8\s/)
  await typeKeys(above, '-18')
  await eventually(() => expect(ruleNow).toMatchObject({ temperatureMaxC: -18 }))
})
