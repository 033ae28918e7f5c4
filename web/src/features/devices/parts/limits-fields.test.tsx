// @vitest-environment page
import { limitPresets } from '@isotherm/contract/device-limits.ts'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, leave, show, typeKeys } from '../../../test/show.tsx'
import { type LimitValues, limitsChange, valuesOf } from '../limit-values.ts'
import { LimitsFields } from './limits-fields.tsx'

afterEach(leave)

let kept: LimitValues
function Probe() {
  const [values, setValues] = useState(valuesOf(limitPresets.refrigerated))
  kept = values
  return <LimitsFields values={values} onChange={setValues} errors={{}} />
}

test('limits below zero keep the sign that is typed first', async () => {
  await show(<Probe />, { texts: ['devices'] })
  await typeKeys(await field('Lowest temperature'), '-25')
  await typeKeys(await field('Highest temperature'), '-0.5')
  await eventually(() =>
    expect(limitsChange(kept)).toMatchObject({ temperatureMinC: -25, temperatureMaxC: -0.5, humidityMinPct: null }),
  )
})
