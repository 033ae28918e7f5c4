// @vitest-environment page
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { EndDialog } from './end-dialog.tsx'

afterEach(leave)
logInAs('admin')

const receiver = (id: string, name: string, settledAt: string | null = null) => ({
  id,
  settledAt,
  party: { name },
  items: [] as object[],
})
const [ada, bola] = [receiver('1', 'Ada'), receiver('2', 'Bola')]

/** The page of an order, which hears that its first receiver has signed. */
function Page() {
  const [receiverList, setList] = useState([ada, bola])
  const order = { id: '7', trackingCode: 'AB-1', receiverList } as never
  return (
    <>
      <button type="button" onClick={() => setList([{ ...ada, settledAt: '2026-03-04T10:00:00.000Z' }, bola])}>
        The first one signs
      </button>
      <EndDialog order={order} onClose={() => undefined} />
    </>
  )
}

test('an outcome is of its receiver alone where that one is served meanwhile', async () => {
  const asked = serve(() => ({ payload: { state: 'completed' } }))
  await show(<Page />, { texts: ['orderLife'] })
  await find('label', 'Ada')
  document.querySelector<HTMLInputElement>('input[data-path="outcomes.0.outcome"]')?.click()
  await (await find('[role=option]', 'Refused')).click()
  type((await find('textarea[data-path="outcomes.0.reason"]')) as HTMLTextAreaElement, 'Too warm')
  await press('The first one signs')
  await eventually(() => expect(isShown('Ada')).toBe(false))
  await press(/^End order$/)
  const sent = () => asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
  await eventually(() => expect(sent()).toEqual([{ outcomes: [{ receiverId: '2', outcome: 'delivered' }] }]))
})

test('what was not delivered has a reason: without one nothing is sent', async () => {
  const asked = serve(() => ({ payload: { state: 'completed' } }))
  await show(
    <EndDialog order={{ id: '7', trackingCode: 'AB-1', receiverList: [ada] } as never} onClose={() => undefined} />,
    {
      texts: ['orderLife'],
    },
  )
  await find('label', 'Ada')
  document.querySelector<HTMLInputElement>('input[data-path="outcomes.0.outcome"]')?.click()
  await (await find('[role=option]', 'Refused')).click()
  await press(/^End order$/)
  const reason = (await find('textarea[data-path="outcomes.0.reason"]')) as HTMLTextAreaElement
  await eventually(() => expect(isShown('This is needed.')).toBe(true))
  expect(asked).toEqual([])
  type(reason, 'Too warm')
  await press(/^End order$/)
  await eventually(() =>
    expect(asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { outcomes: [{ receiverId: '1', outcome: 'refused', reason: 'Too warm' }] },
    ]),
  )
})

test('of a part it may be told how many of each item were taken, and why not all', async () => {
  const asked = serve(() => ({ payload: { state: 'completed' } }))
  const items = [
    { id: '11', name: 'Box', quantity: 10 },
    { id: '12', name: 'Crate', quantity: 4 },
  ]
  const order = { id: '7', trackingCode: 'AB-1', receiverList: [{ ...ada, items }] } as never
  await show(<EndDialog order={order} onClose={() => undefined} />, { texts: ['orderLife'] })
  await find('label', 'Ada')
  document.querySelector<HTMLInputElement>('input[data-path="outcomes.0.outcome"]')?.click()
  await (await find('[role=option]', 'Partly delivered')).click()
  type((await find('textarea[data-path="outcomes.0.reason"]')) as HTMLTextAreaElement, 'Wet')
  type((await find('input[data-path="outcomes.0.items.0.delivered"]')) as HTMLInputElement, '7')
  type((await find('input[data-path="outcomes.0.items.0.reason"]')) as HTMLInputElement, 'Damaged')
  await press(/^End order$/)
  const outcome = { receiverId: '1', outcome: 'partlyDelivered', reason: 'Wet' }
  await eventually(() =>
    expect(asked.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { outcomes: [{ ...outcome, items: [{ id: '11', deliveredQuantity: 7, refusedReason: 'Damaged' }] }] },
    ]),
  )
})
