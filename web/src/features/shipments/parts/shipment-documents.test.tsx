// @vitest-environment page
import type { ShipmentDetails, ShipmentDocument } from '@isotherm/contract/shipments.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, leave, logInAs, serve, show, type } from '../../../test/show.tsx'
import { ShipmentDocuments } from './shipment-documents.tsx'

afterEach(leave)

const invoice = {
  ...{ id: '9', documentNo: 1, version: 1, kind: 'invoice', title: 'Invoice 4711', type: 'pdf', sha256: 'ab' },
  ...{ addedByName: 'Amina', addedAt: '2026-11-20T10:00:00Z' },
} as unknown as ShipmentDocument

const open = async (button: string) => {
  logInAs('admin')
  const shipment = { id: '7', documents: [invoice] } as unknown as ShipmentDetails
  await show(<ShipmentDocuments shipment={shipment} />, { texts: ['shipments'] })
  ;(await find('button', button)).click()
  return find('[role=dialog]')
}

/** Gives the dialog a file as a person would. */
async function choose(dialog: HTMLElement, name: string) {
  const input = dialog.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no field of a file')
  Object.defineProperty(input, 'files', { configurable: true, value: [new File(['%PDF-'], name)] })
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

test('a document without a title takes that of its file, where it can be seen and changed', async () => {
  const dialog = await open('Add a document')
  await choose(dialog, 'Bill of lading.pdf')
  const title = await field('Title')
  await eventually(() => expect(title.value).toBe('Bill of lading.pdf'))
})

test('a new version says of which document, and keeps its title', async () => {
  const dialog = await open('New version')
  expect(dialog.textContent).toContain('New version: Invoice 4711')
  await choose(dialog, 'scan.pdf')
  await find('[role=dialog] button', 'scan.pdf')
  expect((await field('Title')).value).toBe('Invoice 4711')
})

test('a document without a file is not sent: the form says what is missing', async () => {
  const requests = serve(() => ({ status: 422 }))
  const dialog = await open('Add a document')
  type(await field('Title'), 'Bill of lading')
  dialog.querySelector<HTMLButtonElement>('button[type=submit]')?.click()
  await eventually(() => expect(dialog.textContent).toContain('This is needed.'))
  expect(requests).toEqual([])
})
