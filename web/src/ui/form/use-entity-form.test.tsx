import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type EntityForm, type EntityFormOptions, useEntityForm } from './use-entity-form.ts'

type Values = { name: string }
interface ProbeProps extends EntityFormOptions<Values, Values, void> {
  onForm: (form: EntityForm<Values>) => void
}

function Probe({ onForm, ...options }: ProbeProps) {
  onForm(useEntityForm(options))
  return null
}

test('is sent once, however often somebody clicks while what checks it is still being fetched', async () => {
  const sent: string[] = []
  const onItsWay = Promise.withResolvers<z.ZodType>()
  const saved = Promise.withResolvers<void>()
  renderToStaticMarkup(
    <Probe
      initialValues={{ name: 'Fridge' }}
      schema={() => onItsWay.promise}
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
