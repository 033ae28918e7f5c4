// @vitest-environment page
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test } from 'vitest'
import { find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { ShipmentFacts } from './shipment-facts.tsx'

afterEach(leave)

const end = (name: string, address: string, personOfContact: string) => ({
  ...{ name, address, personOfContact, companyName: 'Cape Fruit', country: 'ZA', timezone: 'UTC', gln: null },
})

test('a shipment tells where its ends are and whom to ask there, and how to reach its partner', async () => {
  logInAs('admin')
  serve(() => ({ payload: null }))
  const shipment = {
    ...{
      number: 'S-1',
      state: 'pending',
      logistics: 'external',
      product: 'Oranges',
      products: [],
      furtherProducts: [],
    },
    ...{ origin: end('Citrusdal', '3 Orchard Road', 'Thandi'), destination: end('Rotterdam', 'Quay 7', 'Joris') },
    partner: { id: '1', companyName: 'Cool Ships', fullName: 'Ada Obi', email: 'ada@cool.example' },
    ...{
      createdByName: 'Zuri',
      createdAt: '2026-03-04T10:00:00.000Z',
      pallets: null,
      grossWeightG: null,
      quantity: null,
      gtin: null,
    },
    ...{ setPointC: null, carryingMinC: null, carryingMaxC: null, hiddenDevices: 0, verdict: null },
  } as unknown as ShipmentDetails
  await show(<ShipmentFacts shipment={shipment} />, { texts: ['shipments'] })
  const facts = await find('dl', 'Citrusdal')
  for (const text of ['3 Orchard Road', 'Thandi', 'Quay 7', 'Joris', 'Cape Fruit', 'Ada Obi'])
    expect(facts.textContent).toContain(text)
  expect(facts.querySelector('a')?.getAttribute('href')).toBe('mailto:ada@cool.example')
})
