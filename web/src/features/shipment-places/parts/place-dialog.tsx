import { NewShipmentPlace, type ShipmentPlace } from '@isotherm/contract/shipment-places.ts'
import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { timeZones } from '../../../lib/country-and-zone-choices.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { CountryField } from '../../../shared/dispatch/country-field.tsx'
import { PlacePicker } from '../../../shared/places/place-picker.tsx'
import { type ChosenPort, PortsField } from '../../../shared/ports/ports-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { type PlaceKind, placeCalls } from '../place-kinds.ts'

interface PlaceDialogProps {
  kind: PlaceKind
  /** Null: a new one. */
  place: ShipmentPlace | null
  onClose: () => void
}

const valuesOf = (place: ShipmentPlace | null) => ({
  name: place?.name ?? '',
  region: place?.region ?? '',
  country: place?.country ?? '',
  companyName: place?.companyName ?? '',
  personOfContact: place?.personOfContact ?? '',
  address: place?.address ?? '',
  gln: place?.gln ?? '',
  glnUnchecked: place?.glnUnchecked ?? false,
  position: { lat: place?.position?.lat ?? null, lon: place?.position?.lon ?? null } as Position,
  radiusM: place?.position?.radiusM ?? ('' as number | ''),
  ports: (place?.ports ?? []) as ChosenPort[],
  timezone: place?.timezone ?? null,
})
type Values = ReturnType<typeof valuesOf>
interface Position {
  lat: number | null
  lon: number | null
}

function bodyOf({ position: { lat, lon }, radiusM, ports, ...values }: Values): NewShipmentPlace {
  const orNull = (text: string) => text.trim() || null
  return {
    ...{ name: values.name, region: orNull(values.region), country: values.country },
    // An empty choice is none.
    timezone: values.timezone || null,
    ...{ companyName: orNull(values.companyName), personOfContact: orNull(values.personOfContact) },
    ...{ address: orNull(values.address), gln: orNull(values.gln) },
    ...(values.gln && values.glnUnchecked && { glnUnchecked: true }),
    position: lat === null || lon === null ? null : { lat, lon, radiusM: radiusM === '' ? null : radiusM },
    ports: ports.map(({ type, code }) => ({ type, code })),
  }
}

/** Adds an origin or a destination, or changes one. */
export function PlaceDialog({ kind, place, onClose }: PlaceDialogProps) {
  const { t } = useTranslation('shipmentPlaces')
  const calls = placeCalls[kind]
  const form = useEntityForm({
    initialValues: valuesOf(place),
    schema: NewShipmentPlace,
    toBody: bodyOf,
    save: (body) =>
      place
        ? call(calls.change, { params: { id: place.id }, body: { ...body, version: place.version } })
        : call(calls.add, { body }),
    onSaved: () => {
      toastSuccess(t(`kinds.${kind}.${place ? 'edited' : 'added'}`))
      void refetchCalls(calls.list)
      onClose()
    },
  })
  const { getInputProps, values, errors, setFieldValue } = form.fields
  const { lat, lon } = values.position
  const position = lat === null || lon === null ? null : { lat, lon }
  // Another place has another zone: the server finds it, unless somebody chooses one.
  const forgetZone = () => setFieldValue('timezone', null)
  const country = getInputProps('country')
  const ofPorts = Object.keys(errors).find((key) => key.startsWith('ports'))
  return (
    <FormDialog
      title={place ? t('edit', { name: place.name }) : t(`kinds.${kind}.add`)}
      form={form}
      submitLabel={t(place ? 'common:actions.save' : `kinds.${kind}.add`)}
      onClose={onClose}
    >
      <TextInput label={t('fields.name')} data-autofocus maxLength={120} {...getInputProps('name')} />
      <TextInput label={t('fields.region')} maxLength={80} {...getInputProps('region')} />
      <CountryField
        label={t('fields.country')}
        {...country}
        onChange={(code) => {
          country.onChange(code)
          forgetZone()
        }}
      />
      <TextInput label={t('fields.companyName')} maxLength={160} {...getInputProps('companyName')} />
      <TextInput label={t('fields.personOfContact')} maxLength={120} {...getInputProps('personOfContact')} />
      <PortsField
        label={t('fields.ports')}
        error={ofPorts && String(errors[ofPorts])}
        value={values.ports}
        onChange={(ports) => setFieldValue('ports', ports)}
      />
      <Textarea label={t('fields.address')} autosize maxLength={300} {...getInputProps('address')} />
      <TextInput
        label={t('fields.gln')}
        description={t('glnHelp')}
        inputMode="numeric"
        maxLength={40}
        {...getInputProps('gln')}
      />
      {(errors.gln !== undefined || values.glnUnchecked) && (
        <Checkbox label={t('glnUnchecked')} {...getInputProps('glnUnchecked', { type: 'checkbox' })} />
      )}
      <PlacePicker
        label={t('place.title')}
        name={values.name || t(`kinds.${kind}.add`)}
        position={position}
        onChange={(chosen, found) => {
          setFieldValue('position', chosen ?? { lat: null, lon: null })
          if (chosen === null) setFieldValue('radiusM', '')
          if (found?.country) setFieldValue('country', found.country)
          if (found && values.address.trim() === '') setFieldValue('address', found.name)
          forgetZone()
        }}
      />
      {position && (
        <NumberInput
          label={t('fields.radius')}
          description={t('radiusHelp')}
          min={20}
          max={50_000}
          allowDecimal={false}
          {...getInputProps('radiusM')}
          error={errors.radiusM ?? errors['position.radiusM']}
        />
      )}
      <Select
        label={t('fields.timezone')}
        placeholder={t('timezoneAuto')}
        data={timeZones(values.timezone ?? undefined)}
        searchable
        clearable
        nothingFoundMessage={t('common:form.nothingFound')}
        {...getInputProps('timezone')}
      />
    </FormDialog>
  )
}
