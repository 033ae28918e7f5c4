import {
  type FenceColour,
  type Geofence,
  type GeofenceChange,
  NewGeofence,
  NewPointOfInterest,
  type PointOfInterest,
  type PointOfInterestChange,
  places,
} from '@isotherm/contract/places.ts'
import { Alert, Button, Checkbox, NumberInput, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { differing, saveChange } from '../../../lib/save-change.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useAskedClose } from '../../../ui/form/use-asked-close.ts'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import type { Chosen, Shape } from '../fence-shapes.ts'
import type { PlaceEdit } from '../use-place-editor.ts'
import { loadGeofence } from '../use-places.ts'
import { ColourChoice } from './colour-choice.tsx'
import classes from './places.module.css'

interface Values {
  name: string
  colour: FenceColour
  in: boolean
  out: boolean
}

interface PlaceFormProps {
  edit: PlaceEdit
  shape: Shape
  onRadius: (radiusM: number) => void
  onColour: (colour: FenceColour) => void
  onSaved: (saved: Chosen) => void
  onCancel: () => void
}

/** Name, colour and notification of what was drawn; it is changed on the map while this is open. */
export function PlaceForm({ edit, shape, onRadius, onColour, onSaved, onCancel }: PlaceFormProps) {
  const { t } = useTranslation('places')
  const isPoint = edit.kind === 'point'
  const group = isPoint ? 'point' : 'fence'
  const form = usePlaceForm(edit, shape, onSaved)
  const cancel = useAskedClose(form, onCancel)
  const { getInputProps, setFieldValue, values, errors } = form.fields
  const areaError = errors['area.points'] ?? errors['area.radiusM']
  const title = t(`${group}.${edit.target ? 'edit' : 'create'}`)
  return (
    <div className={classes.form}>
      <h2 className={classes.title}>{title}</h2>
      <EntityForm
        form={form}
        label={title}
        submitLabel={t('common:actions.save')}
        wide
        secondary={
          <Button variant="default" aria-keyshortcuts="Escape" onClick={cancel} disabled={form.saving}>
            {t('common:actions.cancel')}
          </Button>
        }
      >
        <TextInput label={t('fields.name')} maxLength={80} data-autofocus {...getInputProps('name')} />
        {!isPoint && (
          <ColourChoice
            value={values.colour}
            onChange={(colour) => {
              setFieldValue('colour', colour)
              onColour(colour)
            }}
          />
        )}
        {shape.kind !== 'polygon' && <RadiusField radiusM={shape.radiusM} onRadius={onRadius} error={errors.radiusM} />}
        <Stack gap={6} role="group" aria-label={t('fields.notify')}>
          <Checkbox label={t('fields.in')} {...getInputProps('in', { type: 'checkbox' })} />
          <Checkbox label={t('fields.out')} {...getInputProps('out', { type: 'checkbox' })} />
        </Stack>
        {areaError && (
          <Alert color="red" variant="light">
            {areaError}
          </Alert>
        )}
      </EntityForm>
    </div>
  )
}

interface RadiusFieldProps {
  radiusM: number
  onRadius: (radiusM: number) => void
  error: ReactNode
}

/** Shows the radius on the map; what is typed goes there as soon as it can be one. */
function RadiusField({ radiusM, onRadius, error }: RadiusFieldProps) {
  const { t } = useTranslation('places')
  // Until the map has another one: the mouse changes it too.
  const [typed, setTyped] = useState<{ value: number | string; on: number } | null>(null)
  return (
    <NumberInput
      label={t('fields.radiusM')}
      min={minRadiusM}
      max={maxRadiusM}
      step={50}
      allowDecimal={false}
      value={typed?.on === radiusM ? typed.value : radiusM}
      onChange={(value) => {
        const fits = typeof value === 'number' && value >= minRadiusM && value <= maxRadiusM
        setTyped({ value, on: fits ? value : radiusM })
        if (fits) onRadius(value)
      }}
      error={error}
      data-path="radiusM"
    />
  )
}

const minRadiusM = 20
const maxRadiusM = 500_000

function usePlaceForm(edit: PlaceEdit, shape: Shape, onSaved: (saved: Chosen) => void) {
  const { t } = useTranslation('places')
  const [first] = useState(shape)
  // As the form shows it.
  const [target, setTarget] = useState(edit.target)
  const [start, setStart] = useState(() => valuesOf(edit.target, edit))
  const form = useEntityForm<Values, object, Chosen>({
    initialValues: start,
    schema: edit.kind === 'point' ? NewPointOfInterest : NewGeofence,
    toBody: (values) => bodyOf(values, shape),
    save: (_, values) =>
      save([start, first], [values, shape], target, (now) => {
        setTarget(now)
        setStart(valuesOf(now, edit))
        form.startFrom(valuesOf(now, edit), start)
      }),
    onSaved: (saved) => {
      toastSuccess(t(`${saved.kind === 'point' ? 'point' : 'fence'}.${target ? 'edited' : 'created'}`))
      void refetchCalls(saved.kind === 'point' ? places.pointsOfInterest : places.geofences)
      onSaved(saved)
    },
  })
  return { ...form, isUnsaved: () => form.isUnsaved() || shape !== first }
}

function valuesOf(target: Chosen | null, { kind, name }: PlaceEdit): Values {
  const kept = target && (target.kind === 'geofence' ? target.fence : target.point)
  return {
    name: kept?.name ?? name,
    colour: target?.kind === 'geofence' ? target.fence.colour : 'red',
    // People want to hear of an arrival at a point, and of leaving an area.
    in: kept?.notify.in ?? kind === 'point',
    out: kept?.notify.out ?? kind !== 'point',
  }
}

const notifyOf = (values: Values) => ({ in: values.in, out: values.out })
const pointBody = (values: Values, shape: Extract<Shape, { kind: 'point' }>) => ({
  name: values.name,
  position: shape.position,
  radiusM: shape.radiusM,
  notify: notifyOf(values),
})
const fenceBody = (values: Values, area: Exclude<Shape, { kind: 'point' }>) => ({
  name: values.name,
  colour: values.colour,
  area,
  notify: notifyOf(values),
})
const bodyOf = (values: Values, shape: Shape) =>
  shape.kind === 'point' ? pointBody(values, shape) : fenceBody(values, shape)

type Typed = [Values, Shape]

type OnRefused = (now: Chosen) => void

/** Adds a place, or changes what was changed of one. */
async function save(
  start: Typed,
  [values, shape]: Typed,
  target: Chosen | null,
  onRefused: OnRefused,
): Promise<Chosen> {
  const before = bodyOf(...start)
  if (shape.kind === 'point') {
    const body = pointBody(values, shape)
    const point =
      target?.kind === 'point'
        ? await savePoint(target.point, differing(before, body), onRefused)
        : await call(places.addPointOfInterest, { body })
    return { kind: 'point', point }
  }
  const body = fenceBody(values, shape)
  const fence =
    target?.kind === 'geofence'
      ? await saveFence(target.fence, differing(before, body), onRefused)
      : await call(places.addGeofence, { body })
  return { kind: 'geofence', fence }
}

const savePoint = (seen: PointOfInterest, change: PointOfInterestChange, onRefused: OnRefused) =>
  saveChange({
    ...{ seen, change },
    bodyOf: ({ name, position, radiusM, notify }): PointOfInterestChange => ({ name, position, radiusM, notify }),
    load: () => call(places.pointOfInterest, { params: { id: seen.id } }),
    send: (body, how) => call(places.changePointOfInterest, { params: { id: seen.id }, body }, how),
    onRefused: (point) => onRefused({ kind: 'point', point }),
  })

const saveFence = (seen: Geofence, change: GeofenceChange, onRefused: OnRefused) =>
  saveChange({
    ...{ seen, change },
    bodyOf: ({ name, colour, area, notify }): GeofenceChange => ({ name, colour, area, notify }),
    load: () => loadGeofence(seen),
    send: (body, how) => call(places.changeGeofence, { params: { id: seen.id }, body }, how),
    onRefused: (fence) => onRefused({ kind: 'geofence', fence }),
  })
