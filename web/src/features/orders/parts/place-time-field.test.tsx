// @vitest-environment page
import { useForm } from '@mantine/form'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, show, type } from '../../../test/show.tsx'
import { emptyOrder } from '../order-values.ts'
import { PlaceTimeField } from './place-time-field.tsx'

afterEach(leave)
logInAs('admin')

function Probe({ zone }: { zone: string | null }) {
  const fields = useForm({ initialValues: { ...emptyOrder(), deliverBy: '' } })
  const { deliverBy } = fields.values
  return (
    <>
      <PlaceTimeField fields={fields} path="deliverBy" value={deliverBy} label="Delivery" zone={zone} />
      <output>{deliverBy}</output>
    </>
  )
}

test('a time that clocks of the place skip is refused as it is typed, and the zone is named', async () => {
  await show(<Probe zone="Europe/Paris" />)
  await find('p, div', 'Europe/Paris')
  type(await field('Delivery'), '28/3/2027 2:30')
  await find('p, div', 'this time does not exist')
  type(await field('Delivery'), '28/3/2027 3:30')
  await eventually(() => expect(isShown('this time does not exist')).toBe(false))
  await eventually(() => expect(document.querySelector('output')?.textContent).toBe('2027-03-28T03:30'))
})

test('before the place is known no zone is named, and nothing is refused', async () => {
  await show(<Probe zone={null} />)
  await find('p, div', 'By the clock of the place.')
  type(await field('Delivery'), '28/3/2027 2:30')
  await eventually(() => expect(document.querySelector('output')?.textContent).toBe('2027-03-28T02:30'))
  expect(isShown('this time does not exist')).toBe(false)
})
