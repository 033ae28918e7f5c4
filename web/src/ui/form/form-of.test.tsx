// @vitest-environment page
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, show, type } from '../../test/show.tsx'
import { EntityForm } from './entity-form.tsx'
import { FormOf } from './form-of.tsx'
import { useEntityForm } from './use-entity-form.ts'

interface Fridge {
  name: string
  version: number
}

let answer = Promise.withResolvers<void>()
afterEach(leave)
logInAs('admin')

function FridgeForm({ fridge }: { fridge: Fridge }) {
  const form = useEntityForm({
    initialValues: { name: fridge.name, note: '' },
    required: [],
    toBody: (values) => values,
    save: () => answer.promise,
    onSaved: (_, { name }) => form.startFrom({ name: name.toUpperCase(), note: '' }),
  })
  return (
    <EntityForm form={form} submitLabel="Save">
      <p>{`version ${fridge.version}`}</p>
      <TextInput label="Name" {...form.fields.getInputProps('name')} />
      <TextInput label="Note" {...form.fields.getInputProps('note')} />
    </EntityForm>
  )
}

function Probe() {
  const [fridge, setFridge] = useState<Fridge>({ name: 'Fridge', version: 1 })
  return (
    <>
      <button type="button" onClick={() => setFridge({ name: 'Freezer', version: fridge.version + 1 })}>
        Change elsewhere
      </button>
      <p>{`loaded ${fridge.version}`}</p>
      <FormOf thing={fridge} version={fridge.version}>
        {(held) => <FridgeForm fridge={held} />}
      </FormOf>
    </>
  )
}

test('a newer version is begun with, but not while something typed is unsaved', async () => {
  await show(<Probe />)
  await press('Change elsewhere')
  await eventually(async () => expect((await field('Name')).value).toBe('Freezer'))
  type(await field('Note'), 'by the door', { leave: false })
  await press('Change elsewhere')
  await find('p', 'loaded 3')
  expect([(await field('Note')).value, isShown('version 2')]).toEqual(['by the door', true])
})

test('what is typed while a save is under way stays, and is unsaved', async () => {
  answer = Promise.withResolvers<void>()
  await show(<Probe />)
  type(await field('Name'), 'Depot', { leave: false })
  await press('Save')
  await find('button[data-loading]')
  type(await field('Note'), 'by the door', { leave: false })
  answer.resolve()
  await eventually(async () => expect((await field('Name')).value).toBe('DEPOT'))
  expect((await field('Note')).value).toBe('by the door')
  await press('Change elsewhere')
  await find('p', 'loaded 2')
  expect((await field('Note')).value).toBe('by the door')
})
