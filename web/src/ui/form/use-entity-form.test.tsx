// @vitest-environment page
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useEffect } from 'react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { leave, show } from '../../test/show.tsx'
import { type EntityForm, type EntityFormOptions, useEntityForm } from './use-entity-form.ts'

type Values = { name: string }
type ProbeProps = EntityFormOptions<Values, Values, void> & {
  onForm: (form: EntityForm<Values>) => void
}

function Probe({ onForm, ...options }: ProbeProps) {
  const form = useEntityForm(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once is asked for.
  useEffect(() => onForm(form), [])
  return null
}

afterEach(leave)

test('is sent once, however often somebody clicks while what checks it is still being fetched', async () => {
  const sent: string[] = []
  const onItsWay = Promise.withResolvers<z.ZodType>()
  const saved = Promise.withResolvers<void>()
  await show(
    <Probe
      initialValues={{ name: 'Fridge' }}
      schema={() => onItsWay.promise}
      required={[]}
      toBody={(values) => values}
      save={async ({ name }) => void sent.push(name)}
      onSaved={() => saved.resolve()}
      onForm={(form) => {
        form.submit()
        form.submit()
      }}
    />,
  )
  onItsWay.resolve(z.object({ name: z.string() }))
  await saved.promise
  expect(sent).toEqual(['Fridge'])
})

test('no field says by itself that it is required: its form knows', async () => {
  const folder = join(import.meta.dirname, '../..')
  const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.tsx$/.test(name))
  const drawn = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return /^\s+(?:<\w.*\s)?(?:withAsterisk|required)(?:=\{.*\}|$|\s\{)/m.test(text) ? name : null
    }),
  )
  expect(drawn.filter(Boolean)).toEqual([])
})
