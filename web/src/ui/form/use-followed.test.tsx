// @vitest-environment page
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, show, type } from '../../test/show.tsx'
import { EntityForm } from './entity-form.tsx'
import { useEntityForm } from './use-entity-form.ts'
import { useFollowed } from './use-followed.ts'

interface Alarm {
  name: string
  version: number
}

afterEach(leave)
logInAs('admin')

function AlarmForm({ alarm }: { alarm: Alarm }) {
  const [seen, setSeen] = useState(alarm)
  const form = useEntityForm({
    initialValues: { name: alarm.name },
    required: [],
    toBody: (values) => values,
    save: async ({ name }): Promise<Alarm> => ({ name, version: seen.version + 1 }),
    onSaved: (saved) => follow(saved),
  })
  const follow = (now: Alarm) => {
    setSeen(now)
    form.startFrom({ name: now.name })
  }
  useFollowed({ thing: alarm, seen, isUnsaved: form.isUnsaved, follow })
  return (
    <EntityForm form={form} submitLabel="Save">
      <p>{`made from ${seen.version}`}</p>
      <TextInput label="Name" {...form.fields.getInputProps('name')} />
    </EntityForm>
  )
}

function Probe() {
  const [alarm, setAlarm] = useState<Alarm>({ name: 'Warm', version: 1 })
  const other = (name: string, version: number) => (
    <button type="button" onClick={() => setAlarm({ name, version })}>
      {`${name} ${version}`}
    </button>
  )
  return (
    <>
      <p>{`loaded ${alarm.version}`}</p>
      {other('Too warm', 2)}
      {other('Warm', 1)}
      <AlarmForm alarm={alarm} />
    </>
  )
}

const named = async (name: string) => eventually(async () => expect((await field('Name')).value).toBe(name))

test('a form that nobody typed in follows its thing, and one with something typed does not', async () => {
  await show(<Probe />)
  await press('Too warm 2')
  await named('Too warm')
  expect(isShown('made from 2')).toBe(true)
  await leave()
  await show(<Probe />)
  type(await field('Name'), 'Hot', { leave: false })
  await press('Too warm 2')
  await find('p', 'loaded 2')
  expect([(await field('Name')).value, isShown('made from 1')]).toEqual(['Hot', true])
})

test('a form that was saved does not go back to what is loaded late', async () => {
  await show(<Probe />)
  await press('Too warm 2')
  await named('Too warm')
  type(await field('Name'), 'Hot', { leave: false })
  await press('Save')
  await find('p', 'made from 3')
  await press('Warm 1')
  await find('p', 'loaded 1')
  await named('Hot')
})
