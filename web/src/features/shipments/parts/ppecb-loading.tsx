import { fboCodesOf, type Ppecb, registrationsIn } from '@isotherm/contract/company.ts'
import { shipments } from '@isotherm/contract/shipment-calls.ts'
import {
  devicePlaces,
  type PpecbLoading,
  type ShipmentDetails,
  tooWarmToLoad,
  uncooledPulpMaxC,
} from '@isotherm/contract/shipments.ts'
import { instantOf, localTimeOf } from '@isotherm/contract/zone-times.ts'
import { Alert, Autocomplete, Checkbox, NumberInput, SimpleGrid, Skeleton, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { decimalSeparator, formatTemperature } from '../../../lib/numbers.ts'
import { useCompany } from '../../../lib/profile.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'
import { ReportButton } from './report-button.tsx'

const texts = [
  ...(['exporterUcn', 'puc', 'phc', 'class', 'packaging', 'storageRegime', 'ventilation'] as const),
  ...(['exporterBooking', 'lineReference', 'dischargePorts', 'previousRejections', 'reinspection'] as const),
]
const numbers = ['netWeightKg', 'cartons', 'loadingTemperatureC', 'setPointC'] as const
type Values = Record<(typeof texts)[number], string> &
  Record<(typeof numbers)[number], number | string> & { loadedAt: string; probeReadings: string; isUncooled: boolean }

/** The places of probes by their names in the reader's language, and back. */
type PlaceNames = ReadonlyMap<string, string>

const valuesOf = (ppecb: PpecbLoading | null, zone: string, names: PlaceNames): Values => ({
  ...(Object.fromEntries(texts.map((name) => [name, ppecb?.[name] ?? ''])) as Record<(typeof texts)[number], string>),
  ...(Object.fromEntries(numbers.map((name) => [name, ppecb?.[name] ?? ''])) as Record<
    (typeof numbers)[number],
    number
  >),
  loadedAt: ppecb?.loadedAt ? localTimeOf(ppecb.loadedAt, zone).slice(0, 16) : '',
  probeReadings: (ppecb?.probeReadings ?? [])
    .map(({ place, celsius }) => `${names.get(place) ?? place} ${String(celsius).replace('.', decimalSeparator())}`)
    .join('\n'),
  isUncooled: ppecb?.isUncooled ?? false,
})

const isFbo = (name: string): name is 'puc' | 'phc' => name === 'puc' || name === 'phc'

const linesIn = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** "Probe 1: -0.5 °C", the place and the figure; a decimal comma is read, too. Null of a line without a figure: "Probe 1". */
function readLine(line: string, names: PlaceNames) {
  const placeOf = (text: string) => [...names].find(([, name]) => name.toLowerCase() === text.toLowerCase())?.[0]
  const [, place, celsius] = /^(\S.*?)\s*[:\s]\s*([-−+]?\d+(?:[.,]\d+)?)\s*(?:°?\s*C)?$/i.exec(line.trim()) ?? []
  if (!place || !celsius || placeOf(line.trim())) return null
  return { place: placeOf(place) ?? place, celsius: Number(celsius.replace('−', '-').replace(',', '.')) }
}

/** A line that is not understood goes to the server, too, which refuses it: nothing that somebody wrote is left out. */
const readingsOf = (text: string, names: PlaceNames) =>
  linesIn(text).map((line) => readLine(line, names) ?? { place: line.trim(), celsius: Number.NaN })

function bodyOf(values: Values, zone: string, names: PlaceNames): PpecbLoading {
  const written = (name: (typeof texts)[number]) => values[name].trim() || null
  const number = (name: (typeof numbers)[number]) => (values[name] === '' ? null : Number(values[name]))
  return {
    ...(Object.fromEntries(texts.map((name) => [name, written(name)])) as Record<
      (typeof texts)[number],
      string | null
    >),
    ...(Object.fromEntries(numbers.map((name) => [name, number(name)])) as Record<
      (typeof numbers)[number],
      number | null
    >),
    loadedAt: values.loadedAt ? instantOf(values.loadedAt, zone) : null,
    probeReadings: readingsOf(values.probeReadings, names),
    isUncooled: values.isUncooled,
  }
}

/** The loading data of a refrigerated container that South African law asks for, and its PDF. */
export function PpecbLoadingForm({ shipment }: { shipment: ShipmentDetails }) {
  const company = useCompany()
  return company ? <LoadingForm shipment={shipment} registered={company.ppecb} /> : <Skeleton height={420} />
}

function LoadingForm({ shipment, registered }: { shipment: ShipmentDetails; registered: Ppecb | null }) {
  const { t } = useTranslation('shipments')
  const mayEdit = useCan('dispatch.addOrEdit')
  const zone = shipment.origin.timezone
  const names = new Map(devicePlaces.map((place) => [place as string, t(`place.${place}`)]))
  const [begun, setBegun] = useState(shipment)
  // Where somebody else wrote loading data meanwhile, the server refuses what was begun with others.
  const isOthers = JSON.stringify(shipment.ppecb) !== JSON.stringify(begun.ppecb)
  const form = useEntityForm({
    initialValues: {
      ...valuesOf(shipment.ppecb, zone, names),
      ...(shipment.ppecb === null && mayEdit && registrationsIn(registered)),
    },
    required: [],
    toBody: (values: Values) => ({
      version: (isOthers ? begun : shipment).version,
      ppecb: bodyOf(values, zone, names),
    }),
    save: (body) => call(shipments.change, { params: { id: shipment.id }, body }, { toastAll: true }),
    onSaved: (saved) => {
      setBegun(saved)
      toastSuccess(t('ppecb.saved'))
      void refetchCalls(shipments.one)
    },
  })
  const { getInputProps, values } = form.fields
  const unread = linesIn(values.probeReadings).find((line) => readLine(line, names) === null)
  const { isUncooled } = values
  const tooWarm = tooWarmToLoad({ isUncooled, probeReadings: readingsOf(values.probeReadings, names) })
  return (
    <Panel title={t('ppecb.title')} text={t('ppecb.basis')}>
      <EntityForm
        form={form}
        label={t('ppecb.title')}
        submitLabel={t('ppecb.save')}
        disabled={!mayEdit}
        wide
        secondary={<ReportButton shipment={shipment} kind="ppecb" label={t('ppecb.pdf')} />}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {texts.map((name) => {
            const common = { label: t(`ppecb.${name}`), maxLength: 200, readOnly: !mayEdit, ...getInputProps(name) }
            return isFbo(name) ? (
              <Autocomplete key={name} data={fboCodesOf(registered, name)} {...common} />
            ) : (
              <TextInput key={name} {...common} />
            )
          })}
          {numbers.map((name) => (
            <NumberInput key={name} label={t(`ppecb.${name}`)} readOnly={!mayEdit} {...getInputProps(name)} />
          ))}
          <DateField
            withTime
            label={t('ppecb.loadedAt')}
            description={t('form.localTime')}
            {...getInputProps('loadedAt')}
          />
        </SimpleGrid>
        <Textarea
          label={t('ppecb.probeReadings')}
          description={t('form.probeReadings', { place: t('place.pulp1') })}
          autosize
          minRows={3}
          readOnly={!mayEdit}
          {...getInputProps('probeReadings')}
          error={unread === undefined ? undefined : t('form.probeUnread', { line: unread.trim() })}
        />
        <Checkbox
          label={t('ppecb.isUncooled')}
          disabled={!mayEdit}
          {...getInputProps('isUncooled', { type: 'checkbox' })}
        />
        {tooWarm.length > 0 && (
          <Alert color="orange">
            {t('form.tooWarm', {
              limit: formatTemperature(uncooledPulpMaxC),
              readings: tooWarm
                .map(({ place, celsius }) => `${names.get(place) ?? place} ${formatTemperature(celsius)}`)
                .join(', '),
            })}
          </Alert>
        )}
      </EntityForm>
    </Panel>
  )
}
