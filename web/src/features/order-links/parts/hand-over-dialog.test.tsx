// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'

afterEach(leave)
logInAs('admin')
// The DOM of the tests has no fonts, which a field that grows with its text listens to.
Object.assign(document, { fonts: new EventTarget() })
// Nor can it draw.
vi.mock('./signature-field.tsx', () => ({ SignatureField: () => null }))

const receiver = { id: '3', party: { name: 'Ada' }, items: [{ id: '9', name: 'Vaccine box', quantity: 2 }] } as never
const open = (onClose: () => void) =>
  show(<HandOverDialog orderId="7" receiver={receiver} onClose={onClose} />, { texts: ['orderLinks'] })

test('a refusal has a reason: without one nothing is sent', async () => {
  const asked = serve(() => ({ payload: {} }))
  await open(() => undefined)
  const outcome = (await find('select')) as HTMLSelectElement
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(outcome, 'refused')
  outcome.dispatchEvent(new Event('change', { bubbles: true }))
  await find('label', 'Reason')
  await press(/^Hand over$/)
  await eventually(() => expect(isShown('This is needed.')).toBe(true))
  expect(asked).toEqual([])
})

test('closing it asks first where something was typed', async () => {
  const onClose = vi.fn()
  await open(onClose)
  type(await field('Name of who takes the goods'), 'Ada Obi')
  await press('Cancel')
  await find('h2', 'Leave without saving?')
  expect(onClose).not.toHaveBeenCalled()
})
