// @vitest-environment page
import { get, post } from '@isotherm/contract/call.ts'
import { Id } from '@isotherm/contract/common.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../lib/call.ts'
import { startI18n } from '../../lib/i18n.ts'
import { refetchCalls, useCall } from '../../lib/query.ts'
import { dismissToast, getToasts, toastSuccess } from '../../lib/toast.ts'
import { eventually, field, find, isShown, leave, logInAs, press, serve, show, type } from '../../test/show.tsx'
import { FormDialog } from './form-dialog.tsx'
import { schemaErrors } from './schema-errors.ts'
import { useEntityForm } from './use-entity-form.ts'

const Fridge = z.strictObject({ name: z.string().min(1) })
const add = post('/fridges', { needs: 'session', summary: 'for this test', body: Fridge, returns: z.object({}) })

interface DialogProps {
  password: boolean
  onSaved?: () => void
  onClose: () => void
}

function Dialog({ password, onClose, onSaved = onClose }: DialogProps) {
  const form = useEntityForm({
    initialValues: { name: '', password: '' },
    schema: Fridge,
    toBody: ({ name }) => ({ name }),
    save: (body) => call(add, { body }),
    onSaved,
  })
  return (
    <FormDialog title="New fridge" form={form} submitLabel="Add" onClose={onClose}>
      <TextInput label="Name" {...form.fields.getInputProps('name')} />
      {password && <TextInput label="Password" {...form.fields.getInputProps('password')} />}
    </FormDialog>
  )
}

function Probe({ password = false }) {
  const [isOpen, setIsOpen] = useState(true)
  return isOpen ? <Dialog password={password} onClose={() => setIsOpen(false)} /> : <p>closed</p>
}

afterEach(() => {
  leave()
  for (const { id } of getToasts()) dismissToast(id)
})
logInAs('admin')

test('begins at its first field', async () => {
  await show(<Probe />)
  const name = await field('Name')
  await eventually(() => expect(document.activeElement).toBe(name))
})

test('an Enter that is held down sends nothing, a new one does', async () => {
  await show(<Probe />)
  const name = await field('Name')
  const enter = (repeat: boolean) =>
    name.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true }))
  // The browser sends the form where nobody prevents the key's default.
  expect([enter(true), enter(false)]).toEqual([false, true])
})

test('what breaks a rule is said at its field, which gets the focus, and nothing is sent', async () => {
  const requests = serve(() => ({ payload: {} }))
  await show(<Probe />)
  await press('Add')
  const name = await field('Name')
  await eventually(() => expect(name.getAttribute('aria-invalid')).toBe('true'))
  await eventually(() => expect(document.activeElement).toBe(name))
  expect(requests).toEqual([])
})

test('a choice that nobody made is needed, not of a wrong form', async () => {
  await startI18n(['common', 'errors'])
  const schema = z.object({ origin: Id, stops: z.array(z.object({ place: Id })) })
  const needed = 'This is needed.'
  const errors = schemaErrors(schema, { origin: '', stops: [{ place: '7' }, { place: '' }, { place: 'x' }] })
  expect(errors).toMatchObject({ origin: needed, 'stops.1.place': needed })
  expect(errors['stops.2.place']).not.toBe(needed)
})

test('a refusal of the server stands at its field, and what was typed stays', async () => {
  serve(() => ({ status: 422, code: 'VALIDATION', messages: ['Taken.'], fields: { name: ['This name is taken.'] } }))
  await show(<Probe />)
  type(await field('Name'), 'Fridge 1')
  await press('Add')
  await find('p, div', 'This name is taken.')
  expect((await field('Name')).value).toBe('Fridge 1')
  expect(isShown('closed')).toBe(false)
  expect(getToasts()).toEqual([])
})

test('a refusal by a code stands at the field that the code is about; one about nothing that is shown is toasted', async () => {
  serve(() => ({ status: 400, code: 'WRONG_PASSWORD', message: 'The current password is wrong.' }))
  await show(<Probe password />)
  type(await field('Name'), 'Fridge 1')
  await press('Add')
  const password = await field('Password')
  await eventually(() => expect(password.getAttribute('aria-invalid')).toBe('true'))
  expect(getToasts()).toEqual([])
  serve(() => ({ status: 422, code: 'VALIDATION', messages: ['Place: missing.'], fields: { place: ['missing.'] } }))
  await press('Add')
  await eventually(() => expect(getToasts().map(({ text }) => text)).toEqual(['Place: missing.']))
  // Saving takes it away.
  serve(() => ({ payload: {} }))
  await press('Add')
  await find('p', 'closed')
  expect(getToasts()).toEqual([])
})

test('a failure that no field explains stands above the button', async () => {
  serve(() => ({ status: 503, code: 'OVERLOADED', message: 'Try again in a minute.' }))
  await show(<Probe />)
  type(await field('Name'), 'Fridge 1')
  await press('Add')
  await find('[role=alert]', 'Try again in a minute.')
})

test('it closes once saved, with what was typed in the body', async () => {
  const requests = serve(() => ({ payload: {} }))
  await show(<Probe />)
  type(await field('Name'), 'Fridge 1')
  await press('Add')
  await find('p', 'closed')
  expect(requests).toEqual([{ method: 'POST', path: '/fridges', body: { name: 'Fridge 1' } }])
})

const list = get('/fridges', { needs: 'session', summary: 'for this test', returns: z.array(z.string()) })

function Fridges() {
  const { data = [] } = useCall(list)
  const [isOpen, setIsOpen] = useState(true)
  const close = () => setIsOpen(false)
  const afterSaving = () => {
    toastSuccess('Fridge added')
    void refetchCalls(list)
    close()
  }
  return (
    <>
      <p>{data.join(', ')}</p>
      {isOpen ? <Dialog password={false} onSaved={afterSaving} onClose={close} /> : <p>closed</p>}
    </>
  )
}

/** A list of fridges, whose second answer waits for what is given back. */
function serveSlowly() {
  const second = Promise.withResolvers<void>()
  const kept = ['Fridge 1']
  let asked = 0
  const requests = serve(({ method, body }) => {
    if (method === 'POST') kept.push((body as { name: string }).name)
    const payload = method === 'POST' ? {} : [...kept]
    return method === 'GET' && ++asked > 1 ? second.promise.then(() => ({ payload })) : { payload }
  })
  return { requests, answer: second.resolve }
}

test('stays until the list is renewed, then it closes over the new one and says so; a second click sends nothing', async () => {
  const { requests, answer } = serveSlowly()
  await show(<Fridges />)
  await find('p', 'Fridge 1')
  type(await field('Name'), 'Fridge 2')
  await press('Add')
  await eventually(() => expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']))
  await press('Add')
  await new Promise((wake) => setTimeout(wake, 50))
  expect(isShown('closed')).toBe(false)
  expect(getToasts()).toEqual([])
  expect((await find('button', 'Add')).dataset.loading).toBe('true')
  answer()
  await find('p', 'closed')
  await eventually(() => expect(getToasts().map(({ text }) => text)).toEqual(['Fridge added']))
  expect(isShown('Fridge 1, Fridge 2')).toBe(true)
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('does not stay for an answer that takes longer than two seconds', async () => {
  const { answer } = serveSlowly()
  await show(<Fridges />)
  await find('p', 'Fridge 1')
  type(await field('Name'), 'Fridge 2')
  await press('Add')
  await find('p', 'closed')
  expect(isShown('Fridge 2')).toBe(false)
  answer()
  await find('p', 'Fridge 1, Fridge 2')
})

test('closing asks first where something was typed, and only there', async () => {
  await show(<Probe />)
  type(await field('Name'), 'Fridge 1')
  await press('Cancel')
  await find('h2', 'Leave without saving?')
  expect(isShown('closed')).toBe(false)
  await press(/^Leave$/)
  await find('p', 'closed')
  await show(<Probe />)
  await press('Cancel')
  await find('p', 'closed')
})
