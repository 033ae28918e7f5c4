// @vitest-environment page
import { OrderCrew } from '@isotherm/contract/order-life.ts'
import { expect, test } from 'vitest'
import { requiredFields } from '../../../ui/form/required-fields.ts'
import { crewBody } from './crew-dialog.tsx'

test('an order may have nobody: neither driver nor vehicle is marked as needed', () => {
  const values = { driverId: '1', vehicleId: '2', devices: [], reason: '' }
  expect(requiredFields({ schema: OrderCrew, toBody: (typed) => crewBody(3, typed) }, values, values)).toEqual([])
})
