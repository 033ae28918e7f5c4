// @vitest-environment page
import { NewAlarm } from '@isotherm/contract/alarms.ts'
import { NewContact } from '@isotherm/contract/contacts.ts'
import { TextInput } from '@mantine/core'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { eventually, field, find, leave, logInAs, show, type } from '../../test/show.tsx'
import { EntityForm } from './entity-form.tsx'
import { requiredFields } from './required-fields.ts'
import { useEntityForm } from './use-entity-form.ts'

afterEach(leave)
logInAs('admin')

const schema = z.object({
  name: z.string().min(1),
  note: z.string().nullable(),
  kind: z.enum(['full', 'part']),
  whose: z.enum(['ours', 'theirs']),
  days: z.number().int(),
  devices: z.array(z.string()).min(1),
  items: z.array(z.object({ title: z.string().min(1), weight: z.number().nullable() })).min(1),
  file: z.object({}).nullable(),
})
const initial = {
  ...{ name: 'Van 3', note: 'n', kind: 'full', whose: '', days: 3 as number | string, devices: ['1'], isOn: true },
  ...{ items: [{ title: 't', weight: 2 as number | string }], file: null },
}
const toBody = ({ note, isOn, items, ...values }: typeof initial) => ({
  ...values,
  note: note || null,
  items: items.map(({ title, weight }) => ({ title, weight: weight === '' ? null : weight })),
})

test('required is what the schema refuses once it is emptied, within lists too; a choice that has a value cannot be', () => {
  expect(requiredFields({ schema, toBody }, initial, initial)).toEqual([
    ...['name', 'whose', 'days', 'devices', 'items', 'items.0.title'],
  ])
})

test('a choice that began empty stays marked once something is chosen', () => {
  expect(requiredFields({ schema, toBody }, { ...initial, whose: 'ours' }, initial)).toContain('whose')
})

test('a choice that can be taken back is not needed, whether it began with a value or without', () => {
  const causes = z.object({
    cause: z
      .string()
      .regex(/^[a-z]+$/)
      .nullable(),
    owner: z.string().min(1).nullable().optional(),
  })
  const [none, chosen] = [
    { cause: null, owner: null },
    { cause: 'door', owner: '7' },
  ]
  const rule = { schema: causes, toBody: (values: object) => values }
  expect(requiredFields(rule, chosen, none)).toEqual([])
  expect(requiredFields(rule, chosen, chosen)).toEqual([])
})

test('a number is needed where its form makes 0 of no value', () => {
  const below = z.object({ below: z.number().int() })
  const toBody = (of: { below: unknown }) => ({ below: of.below === '' ? Number.NaN : Number(of.below) })
  expect(requiredFields({ schema: below, toBody }, { below: 5 }, { below: 5 })).toEqual(['below'])
})

test('a body that cannot be made of an emptied field marks nothing', () => {
  const throws = () => {
    throw new Error('no body')
  }
  expect(requiredFields({ schema, toBody: throws }, initial, initial)).toEqual([])
})

test('the schemas of the contract tell their required fields', () => {
  const contact = { name: '', company: '', email: '', phone: '' }
  const written = (values: typeof contact) =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text || null]))
  expect(requiredFields({ schema: NewContact, toBody: written }, contact, contact)).toContain('name')
  const alarm = { name: '', deviceIds: [] }
  expect(requiredFields({ schema: NewAlarm, toBody: (values) => values }, alarm, alarm)).toContain('name')
})

const Typed = z
  .object({ name: z.string().min(1), reason: z.string() })
  .refine(({ name, reason }) => name !== 'other' || reason !== '', { path: ['reason'] })

function Probe() {
  const form = useEntityForm({
    initialValues: { name: '', reason: '' },
    schema: Typed,
    toBody: (values) => values,
    save: async () => undefined,
  })
  const { getInputProps } = form.fields
  return (
    <EntityForm form={form} submitLabel="Save" guarded={false}>
      <TextInput label="Name" {...getInputProps('name')} />
      <TextInput label="Reason" {...getInputProps('reason')} />
    </EntityForm>
  )
}

test('a form marks its required fields by itself, says what the mark means, and marks anew as things change', async () => {
  await show(<Probe />)
  await eventually(async () => expect((await field('Name')).required).toBe(true))
  expect((await field('Reason')).required).toBe(false)
  await find('form p', '* is needed')
  type(await field('Name'), 'other')
  await eventually(async () => expect((await field('Reason')).required).toBe(true))
})
